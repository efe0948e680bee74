// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task dependences among siblings, from the depend clauses of every task in creation order (OpenMP 5.1, 2.19.11): whom
// a new task has to wait for. Independent of what the runtime has already finished.
#pragma once

#include "checker/constructs/tasks/task.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fletcher::constructs {

/// Tasks that a later sibling has to wait for. Those that ended give way to what they know, so that a list stays short
/// however many tasks read a variable; one task of each construct stays, as an example for reports.
struct TaskList {
  std::vector<Task*> tasks;
  order::Knowledge ended; ///< what tasks knew that are not in the list any more, and their ends
  bool empty() const noexcept { return tasks.empty() && ended.empty(); }
};

/// The dependences among the children of one task. Not thread-safe: siblings are created one after the other.
/// The caller counts references: `retain` is called for every task kept, `drop` for every one let go.
class DependenceMap {
public:
  using Items = boost::container::small_vector<Dependence, 8>;
  struct Predecessors {
    boost::container::small_vector<Task*, 16> tasks;
    order::Knowledge ended;
    bool empty() const noexcept { return tasks.empty() && ended.empty(); }
  };

  /// What has to come before a task with `list`. The task is not entered. O(list + predecessors).
  Predecessors predecessors(std::span<const Dependence> list) const;

  /// Enters `task`; `retain` and `drop` are called for the tasks that the map starts and stops to name.
  /// O(list), amortised.
  template <class Retain, class Drop>
  void enter(Task* task, std::span<const Dependence> list, Retain retain, Drop drop) {
    enter(task, list);
    for (Task* kept : kept_) retain(kept);
    for (Task* gone : gone_) drop(gone);
    kept_.clear();
    gone_.clear();
  }
  template <class Drop> void clear(Drop drop) {
    for (auto& [address, location] : locations_)
      for (const TaskList* list : {&location.last, &location.before, &location.readers})
        for (Task* t : list->tasks) drop(t);
    locations_.clear();
    if (everything_ != nullptr) drop(std::exchange(everything_, nullptr));
  }

  /// Calls `f(knowledge)` for what is left of tasks that are not named any more.
  template <class F> void each_ended(F f) {
    for (auto& [address, location] : locations_)
      for (TaskList* list : {&location.last, &location.before, &location.readers}) f(list->ended);
  }
  /// No task is named: all have been waited for.
  bool empty() const noexcept { return locations_.empty() && everything_ == nullptr; }
  /// Calls `f(task)` for the tasks that a later one on `address` would have to wait for.
  template <class F> void named(Address address, F f) const {
    const auto at = locations_.find(address);
    if (at == locations_.end()) return;
    for (Task* t : at->second.last.tasks) f(t);
    for (Task* t : at->second.readers.tasks) f(t);
  }
  /// Calls `f(address, task)` for the tasks that later ones on an address below `end` would have to wait for.
  template <class F> void below(Address end, F f) const {
    for (const auto& [address, location] : locations_) {
      if (address >= end) continue;
      for (Task* t : location.last.tasks) f(address, t);
      for (Task* t : location.readers.tasks) f(address, t);
    }
  }

private:
  struct Location {
    DependenceType type = DependenceType::inout; ///< of `last`
    TaskList last;                               ///< the last task that writes, or the last set that does
    TaskList before;                             ///< whom each member of the set has to wait for
    TaskList readers;                            ///< since `last`
  };
  void enter(Task* task, std::span<const Dependence> list);
  void enter_everything(Task* task);
  void keep(TaskList& where, Task* task);
  void let_go(TaskList& list);
  void shorten(TaskList& list);
  static void collect(const Location& location, DependenceType type, Predecessors& result);

  std::unordered_map<Address, Location> locations_;
  Task* everything_ = nullptr;     ///< the last one with omp_all_memory
  std::vector<Task*> kept_, gone_; ///< by the call that is under way
};

} // namespace fletcher::constructs
