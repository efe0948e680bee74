// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/lineage.hpp"

#include "reports/explanation/explain.hpp"

#include <utility>

namespace fletcher::reports {

namespace {

std::string name_of(const TaskDescription& task) {
  switch (task.kind) {
  case TaskKind::explicit_:
    return "task";
  case TaskKind::target:
    return "target task";
  case TaskKind::implicit:
    if (task.of_league) return "team " + std::to_string(task.thread_number) + " of the league";
    return "thread " + std::to_string(task.thread_number) + " of the region";
  case TaskKind::initial:
    return "initial task";
  case TaskKind::foreign:
    return "thread T" + std::to_string(number(task.thread));
  case TaskKind::operation:
    return task.call.empty() ? "pending operation" : task.call;
  }
  return "task";
}

} // namespace

Participant participant(std::string act, SourcePlace place, const std::vector<TaskDescription>& tasks,
                        const SymbolTable& symbols) {
  Participant out{std::move(act), std::move(place), {}};
  for (const TaskDescription& task : tasks)
    out.tasks.push_back({task.id, name_of(task),
                         task.creation.empty() ? SourcePlace() : place_of(symbols.shown(task.creation)), task.skipped});
  return out;
}

} // namespace fletcher::reports
