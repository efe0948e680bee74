// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/tasks/task_names.hpp"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <string>

namespace fletcher::annotate {

namespace {

constexpr std::string_view task_word = "OpenMP task", thread_word = "OpenMP thread";
constexpr const char *task_form = "OpenMP task %" SCNu32 " %" SCNu32 " %" SCNx64 " %" SCNx64 " %1u%1u",
                     *thread_form = "OpenMP thread %" SCNu32 " %" SCNu32 " %" SCNx64;

/// Each task that starts is named; printf would be a tenth of what a short one costs.
struct Writer {
  TaskName name{};
  char* at = name.data();
  char* const end = name.data() + name.size() - 1;

  Writer& text(std::string_view what) noexcept {
    at = std::copy_n(what.data(), std::min(what.size(), static_cast<std::size_t>(end - at)), at);
    return *this;
  }
  Writer& number(std::uint32_t what) noexcept { return value(what, 10); }
  Writer& address(Address what) noexcept { return value(what, 16); }

private:
  Writer& value(std::uint64_t what, int base) noexcept {
    text(" ");
    at = std::to_chars(at, end, what, base).ptr;
    return *this;
  }
};

} // namespace

TaskName name_of(const NamedTask& task) noexcept {
  Writer write;
  if (task.kind == TaskKind::implicit)
    write.text(thread_word).number(task.thread_number).number(number(task.id)).address(task.creation);
  else
    write.text(task_word)
        .number(number(task.id))
        .number(number(task.creator))
        .address(task.creation)
        .address(task.function)
        .text(task.depends ? " 1" : " 0")
        .text(task.created_on_main ? "1" : "0");
  return write.name;
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
