// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gcc's entry points of the single construct: whoever executes it never tells the runtime that it has left it. The
// calls are tail calls, so that the runtime sees the program's return address.

#include "lib/interpose/real.hpp"
#include "lib/ompt/quirks/single.hpp"

using namespace fletcher::interpose;

namespace {
constinit Real<bool()> real_start{"GOMP_single_start"};
constinit Real<void*()> real_copy_start{"GOMP_single_copy_start"};
} // namespace

#pragma GCC visibility push(default)
extern "C" {

bool GOMP_single_start() {
  fletcher::ompt::single_without_end = true;
  return real_start();
}
void* GOMP_single_copy_start() {
  fletcher::ompt::single_without_end = true;
  return real_copy_start();
}

} // extern "C"
#pragma GCC visibility pop
