// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/task_names.hpp"

#include <cinttypes>
#include <cstdio>
#include <string>

namespace fletcher::annotate {

namespace {
constexpr const char *task_form = "OpenMP task %" PRIu32 " %" PRIu32 " %" PRIx64 " %" PRIx64 " %1u%1u",
                     *thread_form = "OpenMP thread %" PRIu32 " %" PRIu32 " %" PRIx64;
}

TaskName name_of(const NamedTask& task) noexcept {
  TaskName name{};
  if (task.kind == TaskKind::implicit)
    std::snprintf(name.data(), name.size(), thread_form, task.thread_number, number(task.id), task.creation);
  else
    std::snprintf(name.data(), name.size(), task_form, number(task.id), number(task.creator), task.creation,
                  task.function, task.depends ? 1U : 0U, task.created_on_main ? 1U : 0U);
  return name;
}

std::optional<NamedTask> task_of(std::string_view text) noexcept {
  const std::string name(text);
  NamedTask task;
  std::uint32_t id = 0, creator = 0;
  unsigned depends = 0, on_main = 0;
  if (std::sscanf(name.c_str(), task_form, &id, &creator, &task.creation, &task.function, &depends, &on_main) == 6) {
    task.creator = TaskId{creator};
    task.depends = depends != 0;
    task.created_on_main = on_main != 0;
  } else if (std::sscanf(name.c_str(), thread_form, &task.thread_number, &id, &task.creation) == 3) {
    task.kind = TaskKind::implicit;
  } else {
    return std::nullopt;
  }
  task.id = TaskId{id};
  return task;
}

} // namespace fletcher::annotate
