// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gcc's entry points of the single construct: its thread never tells the runtime that it has left it. Where a
// barrier follows, that is its end. The calls are tail calls, so that the runtime sees the program's return address.

#include "lib/interpose/gomp/single_end.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/quirks/single.hpp"
#include "lib/tool/thread.hpp"

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<bool()> real_start{"GOMP_single_start"};
constinit Real<void*()> real_copy_start{"GOMP_single_copy_start"};

/// The thread is in the function that the runtime has called for the region.
bool is_in_body() noexcept {
  const access::ThreadState* const thread = tool::this_thread.attached;
  return thread != nullptr && thread->stack.top() - thread->stack.base() == 1;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

bool GOMP_single_start() {
  const auto place = reinterpret_cast<Address>(__builtin_return_address(0));
  ompt::single_without_end = !ends_at_barrier(place, is_in_body());
  return real_start();
}
void* GOMP_single_copy_start() { // `copyprivate`, with which there is no `nowait`
  ompt::single_without_end = false;
  return real_copy_start();
}

} // extern "C"
#pragma GCC visibility pop
