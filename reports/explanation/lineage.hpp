// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who meets in a finding: the task of each access or step, and the tasks that created it. For drawings.
#pragma once

#include "reports/symbols/symbols.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

struct LineageTask {
  TaskId id = TaskId::none; ///< the same task has the same one in all lineages of a diagnostic
  std::string name;         ///< "task", "thread 1 of the region"
  SourcePlace created;
  std::size_t skipped = 0; ///< tasks that are left out before the next one
};

struct Participant {
  std::string act; ///< "write of 4 bytes"
  SourcePlace place;
  std::vector<LineageTask> tasks; ///< the task and its ancestors, innermost first
};

Participant participant(std::string act, SourcePlace place, const std::vector<TaskDescription>& tasks,
                        const SymbolTable& symbols);

} // namespace fletcher::reports
