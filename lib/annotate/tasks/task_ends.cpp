// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/tasks/task_ends.hpp"

#include "lib/annotate/tasks/task_dependences.hpp"

#include <memory>

namespace fletcher::annotate {
namespace {

std::shared_ptr<Task> creator_of(Task& task) {
  const memory::SpinGuard guard(task.lock);
  return task.creator;
}

} // namespace

void come_to_end(const ThreadSanitizer& sanitizer, Task& task) {
  const std::shared_ptr<Task> creator = creator_of(task);
  if (task.waited_for_by) sanitizer.release(task.waited_for_by->ends);
  if (task.team) sanitizer.release(task.team->tasks);
  if (!creator) return;
  sanitizer.release(creator->children);
  release_dependences(sanitizer, task, *creator);
}

bool is_second(Task& task) noexcept { return task.ends.fetch_add(1) == 1; }

} // namespace fletcher::annotate
