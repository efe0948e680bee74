// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dependence-cycle, predicted: a task holds a lock while it waits (taskwait, taskgroup, barrier), and another one takes
// the same lock, which either is waited for or may be started on the waiting thread. This run had luck: otherwise both
// wait forever. Goodlock (lock_order.hpp) with the end of a task for one of the locks. Relies on the execution for who
// took a lock, and on happens-before: an acquisition before the end of the wait, but not before its begin, is waited
// for; one that is ordered with neither may happen in it, if OpenMP's task scheduling constraint lets the thread start
// the task there: it is a descendant of the one that waits (5.1, 2.12.6).
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/rules/locks/lock_order.hpp"
#include "checker/rules/reporter.hpp"
#include "checker/rules/task_scheduling.hpp"

#include <atomic>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fletcher::rules {

/// Thread-safe. Costs one compare for a task that waits and holds nothing.
class HeldWait {
public:
  HeldWait(constructs::Execution& execution, LockOrder& lock_order, Reporter& reporter)
      : execution_(execution), lock_order_(lock_order), reporter_(reporter) {}

  /// `waiter`, which runs on `thread`, begins to wait at `pc`; before the execution follows the event.
  void begins(access::ThreadState& thread, constructs::Task& waiter, SyncKind kind, Address pc) {
    if (!waiter.now().held.empty()) look(thread, waiter, kind, pc);
  }
  /// It goes on; after the execution has followed the event.
  void ends(const constructs::Task& waiter) {
    if (pending_.load(std::memory_order_relaxed) != 0) judge(waiter);
  }
  /// The running task of `thread` has waited for `mutex` and got it at `pc`.
  void took(access::ThreadState& thread, const Mutex& mutex, Address pc) {
    if (past_waits_.load(std::memory_order_relaxed) != 0) look_back(thread, mutex, pc);
  }

  /// Which strands of the past it may ask about.
  void name_past(order::Sweep& sweep);

private:
  /// Somebody took a lock that a waiting task holds. Described at once: the tables may begin anew when the wait ends.
  struct Suspect {
    constructs::HeldMutex held;
    StrandId strand;
    Finding finding;
    bool may_start_here = false; ///< on the waiting thread, if it is not waited for
  };
  /// Somebody took another lock, and may be waited for.
  struct OtherLock {
    AwaitedLock lock;
    std::vector<LockOrder::Found> circles;
  };
  struct Waiting {
    std::uint32_t generation = 0; ///< of the horizon
    std::vector<Suspect> suspects;
    std::vector<OtherLock> others;
    // Of one that may be for locks that are taken meanwhile:
    LocksAround held;
    order::Knowledge past;
  };

  /// A wait with a lock held: a task that takes the lock later may have been started in it.
  struct PastWait {
    TaskId waiter;
    StrandId strand;       ///< in which it began
    order::Knowledge past; ///< of the waiter then
    constructs::HeldMutex held;
    SyncKind kind;
    Address pc;
    std::vector<Step> steps; ///< of a finding: the wait, the acquisition
  };

  void look(access::ThreadState& thread, constructs::Task& waiter, SyncKind kind, Address pc);
  std::vector<OtherLock> look_at_others(const constructs::Task& waiter, const LocksAround& held);
  void look_at_later_ones(const constructs::Task& waiter, const Waiting& wait);
  bool is_other(const constructs::Acquisition& acquisition, const constructs::Task& waiter,
                const LocksAround& held) const;
  void judge(const constructs::Task& waiter);
  void keep(access::ThreadState& thread, constructs::Task& waiter, const constructs::HeldMutex& held, SyncKind kind,
            Address pc);
  void look_back(access::ThreadState& thread, const Mutex& mutex, Address pc);
  bool may_start_in(TaskId waiter, const order::Knowledge& past, const Startable& what) const;
  bool worth_a_look(Address wait, Address acquisition);
  bool passes_signals(const Mutex& mutex) const;
  std::vector<Step> steps_of_waiter(access::ThreadState& thread, constructs::Task& waiter,
                                    const constructs::HeldMutex& held, Address pc);

  constructs::Execution& execution_;
  LockOrder& lock_order_;
  Reporter& reporter_;
  memory::SpinLock lock_;
  std::unordered_map<TaskId, Waiting> waiting_;
  std::atomic<std::size_t> pending_{0}; ///< how many those are
  std::map<std::pair<Address, Address>, std::uint32_t> looks_;
  std::unordered_map<std::uint64_t, std::vector<PastWait>> past_; ///< by the lock's key, since the last horizon
  std::uint32_t past_generation_ = 0;
  std::atomic<std::size_t> past_waits_{0}; ///< locks in past_
};

} // namespace fletcher::rules
