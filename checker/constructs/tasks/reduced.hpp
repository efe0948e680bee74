// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A horizon passes in the middle of a taskgroup: what is reduced there is still to be combined, so that its copies stay
// copies.
#pragma once

#include "checker/access/race_check.hpp"
#include "checker/constructs/tasks/task.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace fletcher::constructs {

/// The task, or one that it is part of, has a taskgroup open.
inline bool in_taskgroup(const Task* task) noexcept {
  for (; task != nullptr; task = task->parent())
    if (task->active() && task->now().open_group != nullptr) return true;
  return false;
}

/// At a horizon behind which `left` go on. `races` is null at level graph.
inline void forget_accesses(access::RaceCheck* races, access::ThreadState& thread, std::span<Task* const> left) {
  if (races == nullptr) return;
  races->at_horizon();
  if (std::ranges::none_of(left, in_taskgroup))
    races->end_of_life(thread, 0, std::numeric_limits<std::size_t>::max(), MemoryKind::copy, 0);
}

} // namespace fletcher::constructs
