// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task dependences among siblings, from the depend clauses of every task in creation order (OpenMP 5.1, 2.19.11): whom
// a new task has to wait for. Independent of what the runtime has already finished.
#pragma once

#include "checker/constructs/task.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fletcher::constructs {

/// The dependences among the children of one task. Not thread-safe: siblings are created one after the other.
/// The caller counts references: `retain` is called for every task kept, the functor of clear() for every one let go.
class DependenceMap {
public:
  /// Tasks that must end before one with `list`. The task is not entered. O(list + predecessors).
  std::vector<Task*> predecessors(std::span<const Dependence> list) const;

  /// Enters `task`; `retain` and `drop` are called for the tasks that the map starts and stops to name.
  template <class Retain, class Drop>
  void enter(Task* task, std::span<const Dependence> list, Retain retain, Drop drop) {
    changes_.clear();
    enter(task, list);
    for (const auto& [changed, kept] : changes_)
      if (kept) retain(changed);
    for (const auto& [changed, kept] : changes_)
      if (!kept) drop(changed);
  }
  template <class Drop> void clear(Drop drop) {
    for (auto& [address, location] : locations_) {
      for (Task* t : location.last) drop(t);
      for (Task* t : location.before) drop(t);
      for (Task* t : location.readers) drop(t);
    }
    locations_.clear();
    if (everything_ != nullptr) drop(std::exchange(everything_, nullptr));
    lowest_named_ = ~Address{0};
  }

  /// The lowest variable of its creator's own frames that a task names; ~0 where none does.
  Address lowest_named() const noexcept { return lowest_named_; }
  void names(Address variable) noexcept { lowest_named_ = std::min(lowest_named_, variable); }
  /// Nothing below is a variable of a living frame any more.
  void frames_gone(Address stack_pointer) noexcept { lowest_named_ = stack_pointer; }

  /// Calls `f(address, task)` for the tasks that later ones on an address below `end` would have to wait for.
  template <class F> void below(Address end, F f) const {
    for (const auto& [address, location] : locations_) {
      if (address >= end) continue;
      for (Task* t : location.last) f(address, t);
      for (Task* t : location.readers) f(address, t);
    }
  }

private:
  struct Location {
    DependenceType type = DependenceType::inout; ///< of `last`
    std::vector<Task*> last;                     ///< the last task that writes, or the last set that does
    std::vector<Task*> before;                   ///< whom each member of the set has to wait for
    std::vector<Task*> readers;                  ///< since `last`
  };
  void enter(Task* task, std::span<const Dependence> list);
  void enter_everything(Task* task);
  void keep(std::vector<Task*>& where, Task* task);
  void let_go(std::vector<Task*>& tasks);
  void collect(const Location& location, DependenceType type, std::vector<Task*>& result) const;

  std::unordered_map<Address, Location> locations_;
  Address lowest_named_ = ~Address{0};
  Task* everything_ = nullptr; ///< the last one with omp_all_memory
  std::vector<std::pair<Task*, bool>> changes_;
};

} // namespace fletcher::constructs
