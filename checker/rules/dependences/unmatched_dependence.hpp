// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// unmatched-dependence: list items that mean the same memory but begin elsewhere (sections that overlap, a pointer and
// what it points to), so that OpenMP orders nothing; and clauses that match no sibling in the whole run. Needs no
// accesses, but the items' sizes and contents for the former.
#pragma once

#include "checker/constructs/dependences/named_storage.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

#include <atomic>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fletcher::rules {

/// Thread-safe. Each depend item costs O(log items of its siblings).
class UnmatchedDependence {
public:
  /// `every_reader`: also single items that no sibling ever writes, not only constructs whose whole list is such.
  /// `items`: the frames of list items.
  UnmatchedDependence(constructs::Execution& execution, const constructs::StackVariables& items, Reporter& reporter,
                      bool every_reader)
      : execution_(execution), items_(items), reporter_(reporter), every_reader_(every_reader) {}

  /// `made` was given its depend clauses; `storage` as in TaskDependences.
  void declared(access::ThreadState& thread, constructs::Task& made, std::span<const Storage> storage);
  /// `task` starts, after its predecessors.
  void started(access::ThreadState& thread, constructs::Task& task);
  /// `task` is over without having been started.
  void discarded(access::ThreadState& thread, const constructs::Task& task);
  /// `waiter` is about to wait for the children that `list` matches.
  void waits(constructs::Task& waiter, std::span<const Dependence> list, std::span<const Storage> storage,
             ContextId place);
  /// `parent` creates no more tasks.
  void parent_over(constructs::Task& parent);
  /// The program is at its end: what never matched is reported.
  void conclude();

private:
  /// A list item of an earlier sibling that means the same memory as one of a task's own, though OpenMP does not match
  /// the two. `earlier` is referenced until the task starts.
  struct Mismatch {
    enum class Kind : std::uint8_t { overlap, pointer } kind;
    constructs::Task* earlier;
    Dependence theirs, own;
  };
  using Construct = constructs::NamedStorage::Construct;
  /// What all executions of a construct came to.
  struct Outcome {
    ContextId place = ContextId::none;
    bool wait = false;
    bool matched = false;
    bool in_vain = false; ///< at least once, while siblings with other items were there to be ordered with
    std::unordered_set<Address> addresses; ///< that no sibling writes
    StackVariable example;                 ///< one of them, where its frame is known
  };
  template <class F>
  void mismatches(const constructs::Task& parent, const Dependence& own, const Storage& storage, F found) const;
  void report(const Mismatch& mismatch, ContextId place, bool wait);

  constructs::Execution& execution_;
  const constructs::StackVariables& items_;
  Reporter& reporter_;
  bool every_reader_;
  /// False where the task has enough of such.
  bool remember(const constructs::Task& task, const Mismatch& mismatch);
  bool is_told(constructs::NamedStorage& named, Address pc);
  std::vector<Mismatch> taken(const constructs::Task& task);

  memory::SpinLock lock_;
  std::unordered_map<std::uint32_t, std::vector<Mismatch>> mismatches_; ///< of tasks that have not started
  std::atomic<bool> some_mismatch_{false};
  std::map<Construct, Outcome> outcomes_;
  std::unordered_set<Address> told_;                 ///< places of mismatches that were reported
  std::set<std::pair<Address, Address>> told_pairs_; ///< the same, of the later and the earlier one
  std::unordered_set<Address> written_;              ///< by any task of a parent that is over
};

} // namespace fletcher::rules
