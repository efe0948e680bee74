// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/tasks/untied_parts.hpp"

#include "lib/annotate/patience.hpp"
#include "lib/annotate/tasks/running.hpp"
#include "lib/annotate/threads/own_stack.hpp"
#include "lib/tool/thread.hpp"

#include <memory>

namespace fletcher::annotate {

namespace {

/// What a part's function leaves to its end.
struct Part {
  const ThreadSanitizer* sanitizer;
  std::shared_ptr<Task> task; ///< another thread may complete it meanwhile
};

constinit Patience patience;

void end_part(void* part) {
  const tool::InsideTool inside;
  const std::unique_ptr<Part> held(static_cast<Part*>(part));
  Task& task = *held->task;
  if (running.id == task.id) running = {};
  held->sanitizer->release(task.so_far);
  task.in_part.store(false, std::memory_order_release);
}

} // namespace

void begin_part(const ThreadSanitizer& sanitizer, Task& task, Address function) {
  const void* const here = &running;
  const bool is_suspended = task.in_part.load(std::memory_order_acquire);
  if (is_suspended && task.part_by.load(std::memory_order_relaxed) == here) return; // it goes on
  if (task.part_by.exchange(here, std::memory_order_relaxed) != here)
    patience.wait([&task] { return !task.in_part.load(std::memory_order_acquire); });
  if (task.parts_seen) sanitizer.acquire(task.so_far);
  task.parts_seen = true;
  task.in_part.store(true, std::memory_order_relaxed);
  call_and_tell(function, end_part, new Part{&sanitizer, task.shared_from_this()});
}

} // namespace fletcher::annotate
