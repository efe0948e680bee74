// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that asks for its thread's number may use data of that thread's own.

#include "checker/checker.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int()> real_number{"omp_get_thread_num"}, real_number_fortran{"omp_get_thread_num_"};
constinit Real<int(int)> real_ancestor{"omp_get_ancestor_thread_num"};

[[gnu::always_inline]] inline void asks() {
  access::ThreadState* const thread = outside_tool();
  if (thread != nullptr && !thread->asked_thread_number) thread->checker->asked_thread_number(*thread);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int omp_get_thread_num() {
  asks();
  return real_number();
}
int omp_get_thread_num_() {
  asks();
  return real_number_fortran();
}
int omp_get_ancestor_thread_num(int level) {
  asks();
  return real_ancestor(level);
}

} // extern "C"
#pragma GCC visibility pop
