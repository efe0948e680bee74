// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dependence-cycle, predicted: a task waits for an event that a task fulfils which its own thread must not start in the
// wait: it is tied and no descendant of the one that waits (task scheduling constraint, OpenMP 5.1, 2.12.6). This run
// had a thread free for it. Told where as many tasks as the team has threads may wait like this at the same time; where
// they are fewer, a thread is free in every run.
//
// Relies on the execution for the order of strands: a fulfilment before the end of the wait, but not before its begin,
// is waited for.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"
#include "checker/rules/task_scheduling.hpp"

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

namespace fletcher::rules {

/// Thread-safe. Costs one compare for each wait of a program without events.
class AnotherThread {
  /// A task of a queue that fulfils an event.
  struct Fulfilment {
    StrandId strand = StrandId::none; ///< in which it does
    TeamId team = TeamId::none;
    Startable by;
  };
  struct Waiting {
    TaskId task = TaskId::none;
    StrandId strand = StrandId::none;
    order::Knowledge past;
    order::RecordId record = order::RecordId::none;
    TeamId team = TeamId::none;
    Fulfilment awaited;
  };

public:
  AnotherThread(constructs::Execution& execution, Reporter& reporter) : execution_(execution), reporter_(reporter) {}

  /// The running task of `thread` fulfils an event; before the execution follows it.
  void fulfils(access::ThreadState& thread);
  /// Fulfilments that a wait may have been for.
  struct Candidates {
    struct One {
      Waiting waiting;
      std::optional<Finding> finding; ///< where all threads may wait so
    };
    std::uint32_t generation = 0;
    std::vector<One> list;
  };
  /// Some event was fulfilled: only then it matters that waits end.
  bool any() const noexcept { return any_.load(std::memory_order_relaxed); }
  /// The wait of `waiter` at `pc` is over; before the execution follows that.
  Candidates ends(access::ThreadState& thread, constructs::Task& waiter, SyncKind kind, Address pc) {
    return any() ? candidates(thread, waiter, kind, pc) : Candidates{};
  }
  /// After it has.
  void ended(const constructs::Task& waiter, Candidates candidates) {
    if (!candidates.list.empty()) judge(waiter, std::move(candidates));
  }

  /// Which strands of the past it may ask about.
  void name_past(order::Sweep& sweep);

private:
  static void name_past(order::Sweep& sweep, const Fulfilment& fulfilment);
  Candidates candidates(access::ThreadState& thread, constructs::Task& waiter, SyncKind kind, Address pc);
  void judge(const constructs::Task& waiter, Candidates candidates);
  /// The fulfilment is nothing that the waiting thread could see to, nor was it under way before.
  bool needs_another_thread(const Waiting& waiting, const Fulfilment& fulfilment) const;
  bool at_the_same_time(const Waiting& a, const Waiting& b) const;
  bool all_threads_may_wait(const Waiting& last, std::uint32_t team_size) const;
  Finding describe(const Waiting& waiting, access::ThreadState& thread, SyncKind kind, Address pc) const;

  constructs::Execution& execution_;
  Reporter& reporter_;
  memory::SpinLock lock_;
  std::vector<Fulfilment> fulfilments_; ///< since the horizon, the last ones
  std::size_t next_ = 0;                ///< the one that makes room
  std::vector<Waiting> waits_;          ///< that were for such an event
  std::uint32_t generation_ = 0;
  std::atomic<bool> any_{false};
};

} // namespace fletcher::rules
