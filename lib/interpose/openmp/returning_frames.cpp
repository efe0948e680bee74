// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that tasks use by reference, where their function returns: the compiler plugin (lib/pass/returning_frames)
// calls here where nothing has waited for such a task by then.

#include "lib/interpose/observe.hpp"

using namespace fletcher;
using namespace fletcher::interpose;

#pragma GCC visibility push(default)
extern "C" {

void __fletcher_frame_returns(const void* variable, unsigned long size) {
  const Address pc = caller();
  const access::ThreadState* const thread = outside_tool();
  if (thread == nullptr) return;
  const tool::InsideTool inside;
  raise(MemoryEnd{thread->id, reinterpret_cast<Address>(variable), size, MemoryKind::stack, pc});
}

} // extern "C"
#pragma GCC visibility pop
