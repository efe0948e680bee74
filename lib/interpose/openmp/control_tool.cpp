// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// omp_control_tool before anything else of OpenMP: LLVM's runtime has no tool until it is initialised, and this call
// does not initialise it. A program that pauses the check with its first statement means it.

#include "lib/interpose/real.hpp"
#include "lib/tool/session.hpp"

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(int, int, void*)> real_control{"omp_control_tool"};
constinit Real<int()> real_max_threads{"omp_get_max_threads"};

void start_runtime() {
  if (!tool::options_of_environment().enabled) return;
  if (const auto any_call = real_max_threads.get()) any_call();
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int omp_control_tool(int command, int modifier, void* argument) {
  start_runtime();
  constexpr int no_tool = -2;
  const auto real = real_control.get();
  return real != nullptr ? real(command, modifier, argument) : no_tool;
}

} // extern "C"
#pragma GCC visibility pop
