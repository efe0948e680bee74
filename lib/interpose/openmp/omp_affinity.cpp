// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The affinity routines with texts, as programs of C call them. Under these names LLVM's runtime has Fortran's, which
// get the lengths of the texts, too; C's it calls ompc_, and its header renames them. gcc's header does not, so that
// gcc's programs crash. Those of Fortran call names with an underscore at the end, which are left alone. Of a program
// that was linked to libgomp the runtime knows C's by their version, and means the same functions. Where libgomp runs,
// it gets the calls.

#include "lib/interpose/real.hpp"

#include <cstddef>

using namespace fletcher::interpose;

namespace {

using Size = std::size_t;

using Set = void(const char* format);
using Get = Size(char* text, Size size);
using Capture = Size(char* text, Size size, const char* format);
constinit Real<Set> real_set{"omp_set_affinity_format"}, llvm_set{"ompc_set_affinity_format"},
    real_display{"omp_display_affinity"}, llvm_display{"ompc_display_affinity"};
constinit Real<Get> real_get{"omp_get_affinity_format"}, llvm_get{"ompc_get_affinity_format"};
constinit Real<Capture> real_capture{"omp_capture_affinity"}, llvm_capture{"ompc_capture_affinity"};

/// C's function of the runtime that the name would lead to.
template <class Signature> auto of_c(Real<Signature>& real, Real<Signature>& llvm) noexcept {
  const auto next = real.get(), renamed = llvm.get();
  return in_one_module(reinterpret_cast<const void*>(next), reinterpret_cast<const void*>(renamed)) ? renamed : next;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void omp_set_affinity_format(const char* format) { of_c(real_set, llvm_set)(format); }
Size omp_get_affinity_format(char* text, Size size) { return of_c(real_get, llvm_get)(text, size); }
void omp_display_affinity(const char* format) { of_c(real_display, llvm_display)(format); }
Size omp_capture_affinity(char* text, Size size, const char* format) {
  return of_c(real_capture, llvm_capture)(text, size, format);
}

} // extern "C"
#pragma GCC visibility pop
