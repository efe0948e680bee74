// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deadlocks that a run escaped: a lock held in a wait for somebody who took it before.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

class HeldWait : public ::testing::TestWithParam<bool> {
protected:
  static CheckerConfig config() {
    CheckerConfig c = small_config();
    c.accesses = GetParam();
    return c;
  }
  void take(unsigned thread, Address lock = a, MutexKind kind = MutexKind::lock, Address pc = 0x6000) {
    d.lock(thread, lock, kind, pc);
    d.unlock(thread, lock, kind, pc);
  }
  TaskId run_taker(unsigned on, TaskId task) {
    d.start(on, task);
    take(on);
    d.end(on);
    return task;
  }
  void hold_in_taskwait(unsigned thread) {
    d.lock(thread, a, MutexKind::lock, 0x6001);
    d.taskwait(thread);
    d.unlock(thread, a);
  }
  /// A task of the member on thread 1 that is over, and its child that is not.
  TaskId child_with_child() {
    d.start(1, d.create(1));
    const TaskId grandchild = d.create(1);
    d.end(1);
    return grandchild;
  }
  std::ptrdiff_t found() const { return d.count(Rule::dependence_cycle); }
  static constexpr TaskTraits undeferred{.undeferred = true};
  static constexpr Address a = 0x10, b = 0x20, x = 0x100;
  Driver d{config()};
};
INSTANTIATE_TEST_SUITE_P(Levels, HeldWait, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "native" : "graph"; });

TEST_P(HeldWait, AChildThatTookTheLockBefore) {
  d.fork(1, 2);
  run_taker(2, d.create(1));
  EXPECT_EQ(found(), 0);
  hold_in_taskwait(1);
  ASSERT_EQ(found(), 1);
  const Finding& f = d.recorder.findings.front();
  EXPECT_TRUE(f.predicted);
  ASSERT_EQ(f.steps.size(), 3u);
  EXPECT_EQ(f.steps[0].stack.front(), 0x7000u);
  EXPECT_EQ(f.steps[1].stack.front(), 0x6001u);
  EXPECT_EQ(f.steps[2].stack.front(), 0x6000u);
  hold_in_taskwait(1);
  EXPECT_EQ(found() + d.recorder.repeated, 1) << "the second taskwait waits for nobody";
}

TEST_P(HeldWait, OnOneThreadToo) {
  d.fork(1, 1);
  run_taker(1, d.create(1));
  hold_in_taskwait(1);
  EXPECT_EQ(found(), 1);
}

TEST_P(HeldWait, ATaskwaitBeforeTheLockMakesItRight) {
  d.fork(1, 2);
  run_taker(2, d.create(1));
  d.taskwait(1);
  hold_in_taskwait(1);
  EXPECT_EQ(found(), 0);
}

TEST_P(HeldWait, AnotherLockIsNoDanger) {
  d.fork(1, 2);
  run_taker(2, d.create(1));
  d.lock(1, b);
  d.taskwait(1);
  EXPECT_EQ(found(), 0);
}

TEST_P(HeldWait, SomebodyWhoIsNotWaitedFor) {
  d.fork(1, 2);
  take(2);
  run_taker(1, d.create(2));
  hold_in_taskwait(1);
  take(2);
  run_taker(1, d.create(2));
  EXPECT_EQ(found(), 0) << "a taskwait waits for neither other members nor their tasks, nor may it execute them";
}

TEST_P(HeldWait, AGrandchildMayBeExecutedInATaskwait) {
  d.fork(1, 2);
  const TaskId grandchild = child_with_child();
  run_taker(2, grandchild);
  hold_in_taskwait(1);
  ASSERT_EQ(found(), 1);
  const Finding& f = d.recorder.findings.front();
  EXPECT_TRUE(f.predicted);
  EXPECT_NE(f.message.find("may start {task 2}"), std::string::npos) << f.message;
  EXPECT_EQ(f.steps[2].stack.front(), 0x6000u);
  EXPECT_EQ(f.steps[2].tasks.front().id, grandchild);
}

TEST_P(HeldWait, AGrandchildThatCameAfterTheTaskwait) {
  d.fork(1, 2);
  const TaskId grandchild = child_with_child();
  hold_in_taskwait(1);
  EXPECT_EQ(found(), 0);
  run_taker(2, grandchild);
  EXPECT_EQ(found(), 1);
}

TEST_P(HeldWait, AGrandchildInATaskOfItsOwnLock) {
  d.fork(1, 2);
  d.start(2, child_with_child());
  run_taker(2, d.create(2, {}, undeferred));
  d.end(2);
  hold_in_taskwait(1);
  EXPECT_EQ(found(), 1) << "an undeferred task is executed with the task that creates it";
}

TEST_P(HeldWait, TasksThatComeAfterTheWaitAreNotStartedInIt) {
  d.fork(1, 2);
  hold_in_taskwait(1);
  const TaskId grandchild = child_with_child();
  run_taker(2, grandchild);
  EXPECT_EQ(found(), 0);
}

TEST_P(HeldWait, ATaskThatWasOverBeforeTheLockIsNotStartedInTheWait) {
  d.fork(1, 2);
  d.sync(1, SyncKind::taskgroup, true);
  run_taker(2, child_with_child());
  d.sync(1, SyncKind::taskgroup, false);
  hold_in_taskwait(1);
  EXPECT_EQ(found(), 0);
}

TEST_P(HeldWait, ATaskThatIsKnownToHaveBegunIsNotStartedInTheWait) {
  d.fork(1, 2);
  const TaskId grandchild = child_with_child();
  d.start(2, grandchild);
  d.access(2, x, access::Kind::write, 0x1);
  d.checker.on(Release{ThreadId{2}, 0x77});
  d.checker.on(Acquire{ThreadId{1}, 0x77});
  hold_in_taskwait(1);
  take(2);
  d.end(2);
  EXPECT_EQ(found(), GetParam() ? 0 : 1) << "without accesses, such order is not seen";
}

TEST_P(HeldWait, ADescendantThatTheChildWaitsFor) {
  d.fork(1, 2);
  d.start(2, d.create(1));
  const TaskId grandchild = d.create(2);
  run_taker(1, grandchild);
  d.taskwait(2);
  d.end(2);
  hold_in_taskwait(1);
  EXPECT_EQ(found(), 1);
}

TEST_P(HeldWait, TheEndOfATaskgroupWaitsForDescendants) {
  d.fork(1, 2);
  d.sync(1, SyncKind::taskgroup, true);
  d.start(2, d.create(1));
  const TaskId grandchild = d.create(2);
  d.end(2);
  run_taker(2, grandchild);
  d.lock(1, a);
  d.checker.on(TaskgroupWait{ThreadId{1}, d.current[1], 0x7001});
  d.sync(1, SyncKind::taskgroup, false);
  EXPECT_EQ(found(), 1);
}

TEST_P(HeldWait, TaskwaitWithDependWaitsForItsPredecessorsOnly) {
  d.fork(1, 2);
  const auto wait = [&](bool begin) {
    const Dependence item{x, DependenceType::in, false};
    d.checker.on(TaskwaitDepend{ThreadId{1}, d.current[1], {&item, 1}, begin, 0x7000});
  };
  run_taker(2, d.create(1));
  d.lock(1, a);
  wait(true), wait(false);
  ASSERT_EQ(found(), 1);
  EXPECT_NE(d.recorder.findings.back().message.find("may start"), std::string::npos) << "it is not waited for";
  d.unlock(1, a);
  d.start(2, d.create(1, {{x, DependenceType::out, false}}));
  take(2, a, MutexKind::lock, 0x6003);
  d.end(2);
  d.lock(1, a, MutexKind::lock, 0x6002);
  wait(true), wait(false);
  ASSERT_EQ(found(), 2);
  EXPECT_EQ(d.recorder.findings.back().message.find("may start"), std::string::npos) << "it is";
}

TEST_P(HeldWait, AMemberThatTookTheLockInTheSamePhase) {
  const TeamId team = d.fork(1, 2);
  take(2);
  d.lock(1, a);
  d.barrier(team);
  d.unlock(1, a);
  EXPECT_EQ(found(), 1);
}

TEST_P(HeldWait, LocksThatPassSignalsAreNoDanger) {
  const TeamId team = d.fork(1, 2);
  d.lock(1, b);
  take(2); // it waited for the other one, which goes hand over hand
  d.lock(1, a);
  d.unlock(1, b);
  d.barrier(team);
  d.unlock(1, a);
  EXPECT_EQ(found(), 0);
}

TEST_P(HeldWait, NestedLocksAreNoSignals) {
  const TeamId team = d.fork(1, 2);
  take(2);
  d.lock(1, a);
  take(1, b);
  d.barrier(team);
  d.unlock(1, a);
  EXPECT_EQ(found(), 1);
}

TEST_P(HeldWait, AMemberThatTookTheLockInAnEarlierPhase) {
  const TeamId team = d.fork(1, 2);
  take(2);
  d.barrier(team);
  d.lock(1, a);
  d.barrier(team);
  d.unlock(1, a);
  take(2);
  EXPECT_EQ(found(), 0);
}

TEST_P(HeldWait, ATaskOfAnotherMemberAtABarrier) {
  const TeamId team = d.fork(1, 2);
  run_taker(2, d.create(2));
  d.lock(1, a, MutexKind::critical);
  d.barrier(team);
  d.unlock(1, a, MutexKind::critical);
  EXPECT_EQ(found(), 0) << "another object";
  d.lock(1, a);
  d.barrier(team);
  EXPECT_EQ(found(), 0) << "the task was over at the barrier before";
  d.unlock(1, a);
  run_taker(2, d.create(2));
  d.lock(1, a);
  d.barrier(team);
  EXPECT_EQ(found(), 1);
}

TEST_P(HeldWait, WhoTestsALockDoesNotWaitForIt) {
  d.fork(1, 2);
  d.start(2, d.create(1));
  d.test_lock(2, a);
  d.unlock(2, a);
  d.end(2);
  hold_in_taskwait(1);
  EXPECT_EQ(found(), 0);
}

TEST_P(HeldWait, LocksThatChangeHands) {
  d.fork(1, 3);
  d.lock(2, b);
  d.unlock(3, b);
  run_taker(2, d.create(1));
  hold_in_taskwait(1);
  EXPECT_EQ(found(), 0);
}

TEST_P(HeldWait, WhoPollsUnderTheLockMayKnowThatTheOtherHadIt) {
  d.fork(1, 2);
  d.lock(1, a, MutexKind::lock, 0x6001);
  d.unlock(1, a);
  run_taker(2, d.create(1));
  hold_in_taskwait(1);
  EXPECT_EQ(found(), 0);
}

TEST_P(HeldWait, AnEventWhoseFulfillerTookTheLock) {
  d.fork(1, 2);
  const TaskId detached = d.create(1);
  d.start(1, detached);
  d.end(1, true);
  take(2);
  d.checker.on(TaskFulfill{ThreadId{2}, detached});
  hold_in_taskwait(1);
  EXPECT_EQ(found(), 1);
}

TEST_P(HeldWait, ManyTakersDoNotHideTheLast) {
  d.fork(1, 2);
  for (int i = 0; i < 100; ++i) {
    run_taker(2, d.create(1));
    if (i % 10 == 9) d.taskwait(1);
  }
  for (int i = 0; i < 40; ++i) run_taker(2, d.create(1));
  hold_in_taskwait(1);
  EXPECT_GE(found(), 1);
}

} // namespace
} // namespace fletcher::test
