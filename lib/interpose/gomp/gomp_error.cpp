// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error directive, executed, in gcc's programs: LLVM's runtime has it for clang's only, so that they could not be
// linked. It says the message; the severity fatal then ends the process, as it does for clang's programs. Where libgomp
// runs, it gets the calls.

#include "lib/interpose/real.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

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

/// For a program that would run on libgomp `fletcher run` keeps LLVM's runtime from warnings that libgomp has not
/// (lib/tool/process/preloads.cpp), and so from this one, which it has: it is written as libgomp writes it.
[[gnu::noinline]] void write_if_runtime_is_quiet(const char* message, Size length) {
  const char* const warnings = std::getenv("KMP_WARNINGS");
  if (warnings == nullptr || std::string_view(warnings) != "0") return;
  std::string line = "\nlibgomp: error directive encountered";
  if (message != nullptr)
    line.append(": ").append(message, length == up_to_zero ? std::string_view(message).size() : length);
  line += '\n';
  (void)!write(STDERR_FILENO, line.data(), line.size());
}

/// Tail calls, as far as they can be, for the runtime to see where the directive is.
void tell(Severity severity, const char* message, Size length, Real<Directive>& libgomp) {
  if (!in_one_module(reinterpret_cast<const void*>(any_of_gcc.get()), reinterpret_cast<const void*>(llvm_error.get())))
    return libgomp(message, length);
  if (severity == warning) write_if_runtime_is_quiet(message, length);
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
