// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ThreadSanitizer calls its threads, so that its reports tell which task each one ran: it knows names only.
#pragma once

#include "checker/finding.hpp"

#include <array>
#include <string_view>

namespace fletcher::annotate {

/// As much as ThreadSanitizer keeps.
using TaskName = std::array<char, 64>;

struct NamedTask {
  TaskKind kind = TaskKind::explicit_; ///< or implicit
  TaskId id = TaskId::none;
  TaskId creator = TaskId::none;   ///< of an explicit task
  bool created_on_main = false;    ///< by the main thread, not in another explicit task: it has no name itself
  bool depends = false;            ///< it has dependences
  std::uint32_t thread_number = 0; ///< of an implicit task
  Address creation = 0;            ///< where its construct's call goes on; 0 where unknown
  Address function = 0;            ///< of an explicit task, that begins it
};

TaskName name_of(const NamedTask& task) noexcept;
std::optional<NamedTask> task_of(std::string_view name) noexcept;

} // namespace fletcher::annotate
