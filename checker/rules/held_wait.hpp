// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dependence-cycle, predicted: a task holds a lock while it waits for others (taskwait, taskgroup, barrier), one of
// which took the same lock before. This run had luck: where the waiter gets the lock first, both wait for ever.
// Goodlock (lock_order.hpp) with the end of a task for one of the locks. Relies on the execution for who took a lock,
// and on happens-before for who was waited for: an acquisition that does not come before the wait, but before its end.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

#include <atomic>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fletcher::rules {

/// Thread-safe. Costs one compare for a task that waits and holds nothing.
class HeldWait {
public:
  HeldWait(constructs::Execution& execution, Reporter& reporter) : execution_(execution), reporter_(reporter) {}

  /// `waiter`, which runs on `thread`, begins to wait at `pc`; before the execution follows the event.
  void begins(access::ThreadState& thread, constructs::Task& waiter, SyncKind kind, Address pc) {
    if (!waiter.held.empty()) look(thread, waiter, kind, pc);
  }
  /// It goes on; after the execution has followed the event.
  void ends(const constructs::Task& waiter) {
    if (pending_.load(std::memory_order_relaxed) != 0) judge(waiter);
  }

private:
  /// Somebody took a lock that a waiting task holds. Described at once: the tables may begin anew when the wait ends.
  struct Suspect {
    constructs::HeldMutex held;
    StrandId strand;
    Finding finding;
  };
  struct Waiting {
    std::uint32_t generation; ///< of the horizon
    std::vector<Suspect> suspects;
  };

  void look(access::ThreadState& thread, constructs::Task& waiter, SyncKind kind, Address pc);
  void judge(const constructs::Task& waiter);
  bool worth_a_look(Address wait, Address acquisition);

  constructs::Execution& execution_;
  Reporter& reporter_;
  memory::SpinLock lock_;
  std::unordered_map<TaskId, Waiting> waiting_;
  std::atomic<std::size_t> pending_{0}; ///< how many those are
  std::map<std::pair<Address, Address>, std::uint32_t> looks_;
};

} // namespace fletcher::rules
