// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error directive, executed, in gcc's programs: LLVM's runtime has it for clang's only, so that they could not be
// linked. It says the message; the severity fatal then ends the process, as it does for clang's programs. Where libgomp
// runs, it gets the calls.

#include "lib/interpose/real.hpp"

#include <cstddef>
#include <string>

using namespace fletcher::interpose;

namespace {

using Size = std::size_t;
using Directive = void(const char* message, Size length);

enum Severity : int { warning = 1, fatal = 2 };
constexpr Size up_to_zero = static_cast<Size>(-1); ///< the length of C's messages

constinit Real<Directive> libgomp_warning{"GOMP_warning"}, libgomp_error{"GOMP_error"};
constinit Real<void(const void* place, int severity, const char* message)> llvm_error{"__kmpc_error"};
constinit Real<void()> any_of_gcc{"GOMP_barrier"};

[[gnu::noinline]] void tell_part(Severity severity, const char* message, Size length) {
  llvm_error(nullptr, severity, std::string(message, length).c_str());
}

/// Tail calls, as far as they can be, for the runtime to see where the directive is.
void tell(Severity severity, const char* message, Size length, Real<Directive>& libgomp) {
  if (!in_one_module(reinterpret_cast<const void*>(any_of_gcc.get()), reinterpret_cast<const void*>(llvm_error.get())))
    return libgomp(message, length);
  if (message == nullptr) return llvm_error(nullptr, severity, "no message"); // whose length the runtime would ask for
  if (length == up_to_zero) return llvm_error(nullptr, severity, message);
  tell_part(severity, message, length);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void GOMP_warning(const char* message, Size length) { tell(warning, message, length, libgomp_warning); }
void GOMP_error(const char* message, Size length) { tell(fatal, message, length, libgomp_error); }

} // extern "C"
#pragma GCC visibility pop
