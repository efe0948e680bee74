// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call stacks as tasks see them: what ran in which construct, and where the ways of a task and of its descendant part.
#pragma once

#include "reports/explanation/explain.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fletcher::reports {

using Tasks = std::span<const TaskDescription>;

bool is_explicit(const TaskDescription& task);

/// The task that ran `stack`, and its ancestors: mostly `tasks`. A rule about declarations has the construct of a task
/// as the place of what the task does; its creator ran that.
Tasks who_ran(const Stack& stack, Tasks tasks);

/// The shown frames of a stack that tasks.front() ran. Names that the compiler dropped are taken from the place of the
/// construct; gcc gives tasks and regions the same kind of name, as clang does parallel and teams regions: the task's
/// kind tells them apart.
std::vector<Frame> shown_in_task(const SymbolTable& symbols, const Stack& stack, Tasks tasks);

/// What the outlined functions in the document's stacks were made of, as its tasks tell: the outermost one of a stack
/// is the task's own.
std::map<std::string, Outlined> constructs_of(const Document& document, const SymbolTable& symbols);

/// Where the ancestor should have waited for its descendant.
struct MissingWait {
  const Side* descendant = nullptr;
  std::vector<Frame> place;        ///< one frame, or none where unknown
  bool taskwait_is_enough = false; ///< else descendants of the child go on unawaited
};

/// If one side's task is an ancestor of the other's: its access and the creation of its child on the way down to the
/// other task have a common call path; in the function where they part, a wait belongs before the call (or access) on
/// the ancestor's way.
std::optional<MissingWait> missing_wait(const std::vector<Side>& sides, const SymbolTable& symbols);

} // namespace fletcher::reports
