// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/explain_death.hpp"

#include "reports/explanation/explain_tasks.hpp"
#include "reports/explanation/task_stacks.hpp"

#include <algorithm>

namespace fletcher::reports {

namespace {

struct Words {
  const SymbolTable& symbols;
  const SourceText& sources;

  std::string place(const Stack& stack, Tasks tasks) const {
    const std::vector<Frame> frames = shown_in_task(symbols, stack, tasks);
    return frames.empty() ? "an unknown place" : place_words(place_of(frames), frames, {}, sources);
  }
  /// The first of `tasks`; the others are its ancestors.
  std::string task(Tasks tasks) const {
    AccessDescription access;
    access.tasks.assign(tasks.begin(), tasks.end());
    Side side;
    side.access = &access;
    side.creation = shown_in_task(symbols, tasks.front().creation, tasks.subspan(1));
    side.created = place_of(side.creation);
    return task_words(side, {}, sources);
  }
};

} // namespace

std::vector<std::string> explain_death(const Step& death, const SymbolTable& symbols, const SourceText& sources) {
  const Words words{symbols, sources};
  const Tasks tasks = death.tasks;
  std::string first = "the program died of " + death.message + " at " + words.place(death.stack, tasks);
  if (!tasks.empty()) first += ", in " + words.task(tasks);
  std::string second;
  const auto region =
      std::find_if(tasks.begin(), tasks.end(), [](const auto& task) { return task.kind == TaskKind::implicit; });
  if (region != tasks.end() && region != tasks.begin() && !region->creation.empty())
    second = std::string(region->of_league ? "the teams construct" : "the parallel region") +
             " around that task is at " +
             words.place(region->creation, tasks.subspan(static_cast<std::size_t>(region - tasks.begin()) + 1)) + "; ";
  return {
      first,
      second +
          "no error had been detected in that process; a race can crash a program before its second access is made"};
}

} // namespace fletcher::reports
