// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who waits for whom, by events: each test stops where a program would hang, or would seem to.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace fletcher::test {
namespace {

class Deadlock : public ::testing::Test {
protected:
  std::vector<fletcher::Deadlock> found(bool strangers = false) { return d.checker.deadlocks(strangers); }
  /// The rule and the messages of the only deadlock; empty for none.
  std::vector<std::string> circle(bool strangers = false) {
    const auto all = found(strangers);
    EXPECT_LE(all.size(), 1u);
    std::vector<std::string> result;
    for (const auto& one : all) {
      result.emplace_back(one.finding.rule == Rule::barrier_mismatch ? "barrier-mismatch"
                          : one.finding.rule == Rule::lock_misuse    ? "lock-misuse"
                                                                     : "dependence-cycle");
      for (const Step& step : one.finding.steps) result.push_back(step.message);
    }
    return result;
  }
  void want(unsigned thread, Address lock, MutexKind kind = MutexKind::lock) {
    d.checker.on(
        MutexEvent{ThreadId{thread}, d.current[thread], {kind, lock}, MutexStep::acquiring, 0, 0x5000 + thread});
  }
  void get(unsigned thread, Address lock, MutexKind kind = MutexKind::lock) {
    want(thread, lock, kind);
    d.lock(thread, lock, kind);
  }
  void begin(unsigned thread, SyncKind kind, TeamId team = TeamId::none) {
    d.checker.on(SyncBegin{ThreadId{thread}, d.current[thread], team, kind, 0x7000 + thread, 0});
  }
  void end(unsigned thread, SyncKind kind, TeamId team = TeamId::none) {
    d.checker.on(SyncEnd{ThreadId{thread}, d.current[thread], team, kind, 0x7000 + thread});
  }
  void taskwait_depend(unsigned thread, Address address) {
    const Dependence item{address, DependenceType::in, false};
    d.checker.on(TaskwaitDepend{ThreadId{thread}, d.current[thread], {&item, 1}, true, 0x7000});
  }
  using Circle = std::vector<std::string>;
  static constexpr Address x = 0x100, y = 0x200, a = 0x10, b = 0x20;
  Driver d;
};

TEST_F(Deadlock, TwoLocksInOppositeOrders) {
  d.fork(1, 2);
  get(1, a), get(2, b);
  want(1, b);
  EXPECT_EQ(circle(), Circle()) << "thread 2 runs";
  want(2, a);
  EXPECT_EQ(circle(), (Circle{"dependence-cycle", "{task} waits here for the {lock}, which {task 2} holds",
                              "{task} acquired it here", "{task} waits here for the {lock}, which {task 0} holds",
                              "{task} acquired it here"}));
}

TEST_F(Deadlock, OthersOfTheTeamMayRun) {
  d.fork(1, 3);
  get(1, a), get(2, b);
  want(1, b), want(2, a);
  EXPECT_EQ(circle(true).size(), 5u);
}

TEST_F(Deadlock, AFreeLockIsGotSoonerOrLater) {
  d.fork(1, 2);
  get(1, a);
  want(2, a);
  d.unlock(1, a);
  begin(1, SyncKind::barrier_explicit, TeamId{1});
  EXPECT_EQ(circle(), Circle());
}

TEST_F(Deadlock, LocksThatChangeHandsSayNothing) {
  d.fork(1, 3);
  get(1, y);
  d.unlock(2, y);
  get(1, a), get(2, b);
  want(1, b), want(2, a);
  EXPECT_EQ(circle(), Circle());
}

TEST_F(Deadlock, ALockSetTwice) {
  get(1, a);
  want(1, a);
  EXPECT_EQ(circle(), (Circle{"lock-misuse", "{task} waits here for the {lock}, which it holds itself",
                              "{task} acquired it here"}));
}

TEST_F(Deadlock, ACriticalConstructInItself) {
  get(1, a, MutexKind::critical);
  want(1, a, MutexKind::critical);
  EXPECT_EQ(circle().front(), "dependence-cycle");
}

TEST_F(Deadlock, TaskwaitWithALockThatTheChildNeeds) {
  d.fork(1, 2);
  get(1, a);
  const TaskId child = d.create(1);
  begin(1, SyncKind::taskwait);
  EXPECT_EQ(circle(), Circle()) << "thread 1 may execute the child";
  d.start(2, child);
  want(2, a);
  EXPECT_EQ(circle(), (Circle{"dependence-cycle", "{task} waits here in taskwait for its child, {task 1}",
                              "{task} waits here for the {lock}, which {task 0} holds", "{task} acquired it here"}));
}

TEST_F(Deadlock, AThreadThatExecutesTheChildOnTopOfItsCreator) {
  d.fork(1, 1);
  get(1, a);
  const TaskId child = d.create(1);
  d.start(1, child); // at once: the queue is full
  want(1, a);
  EXPECT_EQ(circle(),
            (Circle{"dependence-cycle", "{task} waits here for the {lock}, which {task 2} holds",
                    "{task} acquired it here", "{task} continues only when its thread has finished {task 0}"}));
}

TEST_F(Deadlock, TaskgroupWaitsForDescendants) {
  d.fork(1, 2);
  get(1, a);
  begin(1, SyncKind::taskgroup);
  d.start(2, d.create(1));
  const TaskId grandchild = d.create(2);
  d.end(2);
  d.start(2, grandchild);
  want(2, a);
  EXPECT_EQ(circle(), Circle()) << "thread 1 has not come to the group's end";
  d.checker.on(TaskgroupWait{ThreadId{1}, d.current[1], 0x7001});
  EXPECT_EQ(circle()[1], "{task} waits here, at the end of a taskgroup, for {task 1}");
  begin(1, SyncKind::taskwait);
  EXPECT_EQ(circle(), Circle()) << "a taskwait waits for the child only, which has ended";
}

TEST_F(Deadlock, TaskwaitDependWaitsForItsSiblings) {
  d.fork(1, 2);
  get(1, a);
  const TaskId other = d.create(1, {{y, DependenceType::out, false}});
  const TaskId child = d.create(1, {{x, DependenceType::out, false}});
  d.start(2, child);
  want(2, a);
  taskwait_depend(1, x);
  EXPECT_EQ(circle()[1], "{task} waits here in taskwait with depend for {task 1}");
  static_cast<void>(other);
}

TEST_F(Deadlock, AnEventFulfilledByADependent) {
  const TeamId team = d.fork(1, 2);
  const TaskId detached = d.create(1, {{x, DependenceType::out, false}});
  const TaskId dependent = d.create(1, {{x, DependenceType::in, false}});
  d.start(2, detached);
  d.end(2, true);
  begin(2, SyncKind::barrier_parallel, team);
  EXPECT_EQ(circle(), Circle()) << "thread 1 may fulfil it";
  begin(1, SyncKind::barrier_parallel, team);
  EXPECT_EQ(circle(true), Circle()) << "a thread that the checker does not know may";
  EXPECT_EQ(circle(), (Circle{"dependence-cycle",
                              "{task} has ended, but its event is not fulfilled, and every task that could fulfil it "
                              "is stuck, including {task 1}",
                              "{task} cannot start: it depends on {task 0}"}));
  d.checker.on(TaskFulfill{ThreadId{1}, detached});
  EXPECT_EQ(circle(), Circle());
  static_cast<void>(dependent);
}

TEST_F(Deadlock, AQueuedTaskMayFulfilTheEvent) {
  const TeamId team = d.fork(1, 2);
  const TaskId detached = d.create(1);
  d.create(1);
  d.start(2, detached);
  d.end(2, true);
  begin(1, SyncKind::barrier_parallel, team);
  begin(2, SyncKind::barrier_parallel, team);
  EXPECT_EQ(circle(), Circle());
}

TEST_F(Deadlock, NoThreadIsLeftForTheTaskThatWouldUnlock) {
  const TeamId team = d.fork(1, 2);
  // Each thread has started a task that waits for a lock of thread 1's task; its child is in the queue.
  const TaskId first = d.create(1), second = d.create(1);
  d.start(1, first);
  get(1, a);
  const TaskId child = d.create(1);
  d.start(2, second);
  want(2, a);
  begin(1, SyncKind::taskwait, team);
  EXPECT_EQ(circle(), Circle()) << "thread 1 may execute the child";
  const TaskId other = d.create(1); // it may not start a task that is no descendant
  d.start(1, child);
  want(1, b);
  EXPECT_EQ(circle(), Circle()) << "the lock is free";
  static_cast<void>(other);
}

TEST_F(Deadlock, ABarrierInACriticalConstruct) {
  const TeamId team = d.fork(1, 2);
  get(1, a, MutexKind::critical);
  want(2, a, MutexKind::critical);
  EXPECT_EQ(circle(), Circle());
  begin(1, SyncKind::barrier_explicit, team);
  EXPECT_EQ(circle(), (Circle{"dependence-cycle", "{task} waits here for the {lock}, which {task 2} holds",
                              "{task} acquired it here", "{task} waits at a barrier for {task 0}"}));
}

TEST_F(Deadlock, AMemberAtTheEndDoesNotComeToTheBarrier) {
  const TeamId team = d.fork(1, 3);
  begin(1, SyncKind::barrier_explicit, team);
  begin(2, SyncKind::barrier_parallel, team);
  EXPECT_EQ(circle(),
            (Circle{"barrier-mismatch",
                    "{task} waits at a barrier that {task 1} will not reach: it has reached the end of the region",
                    "{task} waits at a barrier for {task 0}"}))
      << "whatever thread 3 does";
}

TEST_F(Deadlock, AMemberThatHasNotBegunMayComeToTheBarrier) {
  const TeamId team{1};
  d.checker.on(ParallelBegin{ThreadId{1}, d.current[1], team, 2, false, 0x9000});
  d.checker.on(ImplicitTaskBegin{ThreadId{1}, team, TaskId{100}, 0, 2});
  d.current[1] = TaskId{100};
  begin(1, SyncKind::barrier_explicit, team);
  EXPECT_EQ(circle(), Circle());
}

TEST_F(Deadlock, ACompletedBarrierLetsAllGo) {
  const TeamId team = d.fork(1, 2);
  begin(1, SyncKind::barrier_explicit, team);
  begin(2, SyncKind::barrier_explicit, team);
  EXPECT_EQ(circle(), Circle()) << "all have arrived";
  end(1, SyncKind::barrier_explicit, team);
  begin(1, SyncKind::barrier_parallel, team);
  EXPECT_EQ(circle(), Circle()) << "thread 2 has not left yet";
}

TEST_F(Deadlock, ACancelledTeamMayLeaveOutBarriers) {
  const TeamId team = d.fork(1, 2);
  d.checker.on(Cancel{ThreadId{2}, d.current[2], CancelKind::parallel, true, false, 0});
  begin(1, SyncKind::barrier_explicit, team);
  begin(2, SyncKind::barrier_parallel, team);
  EXPECT_EQ(circle(), Circle());
}

TEST_F(Deadlock, TheEndOfTheRegionWaitsForItsTasks) {
  const TeamId team = d.fork(1, 2);
  get(1, a);
  const TaskId task = d.create(1);
  d.start(2, task);
  want(2, a);
  begin(1, SyncKind::barrier_parallel, team);
  EXPECT_EQ(circle()[1], "{task} waits at a barrier, which waits for {task 1} too");
}

TEST_F(Deadlock, WorkersBetweenRegionsAreIdle) {
  const TeamId team = d.fork(1, 2);
  d.join(team);
  const TaskId task = d.create(1);
  get(1, a);
  want(1, a);
  EXPECT_EQ(circle().front(), "lock-misuse");
  static_cast<void>(task);
}

TEST_F(Deadlock, AnOrderedRegionWithALockThatALaterIterationHas) {
  d.fork(1, 2);
  get(1, y, MutexKind::ordered);
  get(2, a);
  want(2, y, MutexKind::ordered);
  EXPECT_EQ(circle(), Circle());
  want(1, a);
  EXPECT_EQ(circle().size(), 5u);
}

TEST_F(Deadlock, NobodyLetsTheIterationCome) {
  const TeamId team = d.fork(1, 2);
  d.checker.on(DoacrossWait{ThreadId{1}, d.current[1], true, 0x7001});
  EXPECT_EQ(circle(), Circle());
  begin(2, SyncKind::barrier_workshare, team);
  EXPECT_EQ(circle()[1], "{task} waits here for an iteration that {task 1} holds up");
  d.checker.on(DoacrossWait{ThreadId{1}, d.current[1], false, 0x7001});
  EXPECT_EQ(circle(), Circle());
}

TEST_F(Deadlock, TheRuntimeWaitsForAnIterationThatThereIsNot) {
  const TeamId team = d.fork(1, 3);
  d.checker.on(DoacrossWait{ThreadId{2}, d.current[2], true, 0x7002, SinkKind::outside});
  d.checker.on(DoacrossWait{ThreadId{1}, d.current[1], true, 0x7001}); // in vain, as the other one cannot go on
  begin(3, SyncKind::barrier_workshare, team);
  const std::string words =
      "{task} waits here for an iteration just past the loop's end, which OpenMP does not wait for";
  EXPECT_EQ(circle(), (Circle{"dependence-cycle", words}));
  EXPECT_EQ(found()[0].finding.steps[0].stack.front(), 0x7002u);
  EXPECT_EQ(found()[0].threads, std::vector{ThreadId{2}});
}

TEST_F(Deadlock, ASinkThatComesAfterAllOfTheLoop) {
  const TeamId team = d.fork(1, 2);
  d.checker.on(DoacrossWait{ThreadId{2}, d.current[2], true, 0x7002, SinkKind::later});
  ASSERT_EQ(d.count(Rule::dependence_cycle), 1) << "whether or not it hangs";
  begin(1, SyncKind::barrier_workshare, team);
  const auto all = found();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].finding.message, d.recorder.findings[0].message);
  d.checker.report(all[0]);
  EXPECT_EQ(d.count(Rule::dependence_cycle), 1);
}

// Only its owner may unset a lock, but any task might do it.
TEST_F(Deadlock, TheLocksOwnerHasEnded) {
  const TeamId team = d.fork(1, 2);
  const TaskId owner = d.create(1), waiter = d.create(1);
  d.start(1, owner);
  get(1, a);
  d.end(1);
  d.start(2, waiter);
  want(2, a);
  EXPECT_EQ(circle(), Circle()) << "thread 1 runs";
  begin(1, SyncKind::barrier_parallel, team);
  const Circle words{"dependence-cycle",
                     "{task} waits here for the {lock}, which was set by a task that has ended without unsetting it",
                     "it was set here"};
  EXPECT_EQ(circle(), words);
  EXPECT_EQ(circle(true), Circle()) << "a thread that nobody knows may unset it";
}

TEST_F(Deadlock, ItIsReportedOnceWithAllItsSteps) {
  get(1, a);
  want(1, a);
  const auto first = found(), second = found();
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].identity, second[0].identity);
  EXPECT_EQ(first[0].threads, std::vector{ThreadId{1}});
  d.checker.report(first[0]);
  d.checker.report(second[0]);
  ASSERT_EQ(d.recorder.findings.size(), 1u);
  EXPECT_EQ(d.recorder.findings[0].steps[0].stack.front(), 0x5001u);
  EXPECT_EQ(d.recorder.findings[0].steps[1].stack.front(), 0x6000u);
}

TEST_F(Deadlock, AllMembersWaitButNotAtOneBarrier) {
  const TeamId team = d.fork(1, 2);
  begin(1, SyncKind::barrier_explicit, team);
  begin(2, SyncKind::barrier_workshare, team);
  EXPECT_EQ(circle(), Circle()) << "a runtime counts arrivals";
  end(1, SyncKind::barrier_explicit, team);
  end(2, SyncKind::barrier_workshare, team);
  begin(1, SyncKind::barrier_explicit, team);
  begin(2, SyncKind::barrier_internal, team); // of a reduction
  ASSERT_EQ(circle().size(), 3u);
  EXPECT_EQ(circle()[0], "barrier-mismatch");
  EXPECT_EQ(circle()[1], "{task} waits at a barrier that {task 1} will not reach: it waits at another one");
}

} // namespace
} // namespace fletcher::test
