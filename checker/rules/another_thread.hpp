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

#include <atomic>
#include <vector>

namespace fletcher::rules {

/// Thread-safe. Costs one compare for each wait of a program without events.
class AnotherThread {
public:
  AnotherThread(constructs::Execution& execution, Reporter& reporter) : execution_(execution), reporter_(reporter) {}

  /// The running task of `thread` fulfils an event; before the execution follows it.
  void fulfils(access::ThreadState& thread);
  /// Fulfilments that the wait of `waiter`, now over, may have been for.
  struct Candidates;
  /// Before the execution follows the end of the wait at `pc`.
  Candidates ends(access::ThreadState& thread, constructs::Task& waiter, SyncKind kind, Address pc);
  /// After it has.
  void ended(const constructs::Task& waiter, Candidates candidates);

private:
  /// By an explicit tied task.
  struct Fulfilment {
    StrandId strand = StrandId::none;
    TaskId starter = TaskId::none; ///< what has to be started for it
    ChainId chain = ChainId::none; ///< of the starter
    order::RecordId record = order::RecordId::none;
  };
  struct Waiting {
    TaskId task = TaskId::none;
    StrandId strand = StrandId::none;
    ChainId chain = ChainId::none;
    order::Knowledge known;
    order::RecordId record = order::RecordId::none;
    TeamId team = TeamId::none;
    Fulfilment awaited;
  };

public:
  struct Candidates {
    struct One {
      Waiting waiting;
      Finding finding;
      bool all_threads = false; ///< may wait so
    };
    std::uint32_t generation = 0;
    std::vector<One> list;
  };

private:
  bool descends(order::RecordId record, TaskId ancestor) const;
  bool may_be_executed_by(const Waiting& w, const Fulfilment& f) const;
  bool known_to_have_begun(const Waiting& w, const Fulfilment& f) const;
  bool at_the_same_time(const Waiting& a, const Waiting& b) const;
  bool all_threads_may_wait(const Waiting& last, std::uint32_t team_size) const;
  Finding describe(const Waiting& w, access::ThreadState& thread, SyncKind kind, Address pc) const;

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
