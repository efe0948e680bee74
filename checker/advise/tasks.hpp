// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What advice asks of the tasks of a run: where they are, what their depend clauses name, which constructs they have.
#pragma once

#include "checker/advise/replay.hpp"

#include <map>
#include <set>

namespace fletcher::advise {

struct Item {
  Address low = 0, high = 0; ///< the same where the length is not known
  DependenceType type = DependenceType::in;
  bool is_plain = false; ///< in, out or inout of a list item
};

class Tasks {
public:
  Tasks(const Run& run, const Replay& order);

  /// The task and those around it that constructs made, innermost first.
  template <class Visit> void for_each_around(TaskId task, Visit visit) const {
    for (; task != TaskId::none && order_.creation(task) != 0; task = order_.parent(task)) visit(task);
  }
  const std::vector<Item>& items(TaskId task) const;
  const std::unordered_map<TaskId, std::vector<Item>>& all_items() const noexcept { return items_; }
  Address creation(TaskId task) const { return order_.creation(task); }
  /// All that its region does is seen, and there is more than one thread.
  bool is_known(TaskId task) const;
  /// Only the first of the two.
  bool is_seen(TaskId task) const;

private:
  struct Home {
    TeamId team = TeamId::none, region = TeamId::none;
  };
  const Replay& order_;
  std::unordered_map<TaskId, Home> homes_;
  std::unordered_map<TaskId, std::vector<Item>> items_;
  std::unordered_map<TeamId, std::uint32_t> sizes_;
  std::set<TeamId> blind_;
};

} // namespace fletcher::advise
