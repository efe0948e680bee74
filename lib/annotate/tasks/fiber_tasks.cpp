// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/tasks/fiber_tasks.hpp"

#include "lib/annotate/tasks/task_names.hpp"
#include "lib/annotate/threads/own_stack.hpp"
#include "lib/tool/process/thread_memory.hpp"

#include <utility>

namespace fletcher::annotate {

namespace {

/// What libc keeps for this thread is not judged.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool libc_disregarded = false;

} // namespace

void begin_fiber(const ThreadSanitizer& sanitizer, Fibers& fibers, Task& task, Address function) {
  task.fiber = fibers.take();
  if (task.fiber == nullptr) return;
  if (!std::exchange(libc_disregarded, true))
    if (const tool::MemoryRange own = tool::own_tls(); own.high != 0) sanitizer.disregard(own.low, own.high - own.low);
  task.outside = sanitizer.current_fiber();
  const NamedTask named{.id = task.id,
                        .creator = task.creator->id,
                        .created_on_main = task.created_on_main,
                        .depends = !task.dependences.empty(),
                        .creation = task.construct,
                        .function = *reinterpret_cast<const Address*>(function)};
  sanitizer.set_name(task.fiber->handle, name_of(named).data());
  sanitizer.switch_to(task.fiber->handle);
  call_on(function, task.fiber->stack);
}

void end_fiber(const ThreadSanitizer& sanitizer, Fibers& fibers, Task& task) {
  sanitizer.switch_to(task.outside);
  fibers.give_back(*std::exchange(task.fiber, nullptr));
}

} // namespace fletcher::annotate
