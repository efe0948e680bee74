// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that tasks may use, where a task is created that has pointers to them and where their function returns: the
// compiler plugin (lib/pass/returning_frames) calls here where nothing has waited for such a task by then, or only a
// taskwait, which leaves the tasks' own tasks alone.

#include "checker/constructs/tasks/task.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/ompt/arguments.hpp"

#include <cstring>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {
void tell(const access::ThreadState& thread, const void* variable, unsigned long size, Address pc) {
  if (size == 0) return; // of a size that was not known, and never made
  const tool::InsideTool inside;
  raise(MemoryEnd{thread.id, reinterpret_cast<Address>(variable), size, MemoryKind::stack, pc});
}
} // namespace

#pragma GCC visibility push(default)
extern "C" {

void __fletcher_frame_returns(const void* variable, unsigned long size) {
  const Address pc = caller();
  if (const access::ThreadState* const thread = outside_tool()) tell(*thread, variable, size, pc);
}

/// `task` is being created and has a copy of what is in `copies`; through addresses in there it may use the creator's
/// variable, or, where that is null, one that a caller's frame has.
void __fletcher_task_keeps(const void* task, const void* copies, unsigned long size, const void* variable,
                           unsigned long variable_size) {
  const access::ThreadState* const thread = outside_tool();
  if (thread == nullptr) return;
  const auto begin = reinterpret_cast<Address>(variable), here = reinterpret_cast<Address>(__builtin_frame_address(0));
  for (const auto* at = static_cast<const unsigned char*>(copies); size >= sizeof begin;
       at += sizeof begin, size -= sizeof begin) {
    Address word = 0;
    std::memcpy(&word, at, sizeof word);
    if (variable == nullptr && word > here && thread->in_stack(word)) {
      ompt::arguments.copied(reinterpret_cast<Address>(task), word);
    } else if (word - begin < variable_size) {
      ompt::arguments.copied(reinterpret_cast<Address>(task), begin);
      return;
    }
  }
}

/// Behind a taskwait on each way.
void __fletcher_frame_returns_awaited(const void* variable, unsigned long size) {
  const Address pc = caller();
  const access::ThreadState* const thread = outside_tool();
  if (thread == nullptr || thread->task == nullptr) return;
  const constructs::UsedByChildren* const used = thread->task->used();
  if (used != nullptr && used->has_captures()) [[unlikely]]
    tell(*thread, variable, size, pc);
}

} // extern "C"
#pragma GCC visibility pop
