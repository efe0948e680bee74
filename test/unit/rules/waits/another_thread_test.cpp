// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deadlocks that a run escaped: a wait for an event that only another thread could have fulfilled.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

class AnotherThread : public ::testing::TestWithParam<bool> {
protected:
  static CheckerConfig config() {
    CheckerConfig c = small_config();
    c.accesses = GetParam();
    return c;
  }
  /// The running task's child, whose body is over on that thread, but not its event.
  TaskId detached(unsigned thread) {
    const TaskId t = d.create(thread);
    d.start(thread, t);
    d.end(thread, true);
    return t;
  }
  void fulfil(unsigned thread, TaskId task) { d.checker.on(TaskFulfill{ThreadId{thread}, task}); }
  /// `waiter` waits on `thread`; meanwhile or before, `fulfiller` on `other`.
  void wait_for(unsigned thread, TaskId waiter, unsigned other, TaskId fulfiller) {
    d.start(thread, waiter);
    const TaskId event = detached(thread);
    d.sync(thread, SyncKind::taskwait, true);
    d.start(other, fulfiller);
    fulfil(other, event);
    d.end(other);
    d.sync(thread, SyncKind::taskwait, false);
    d.end(thread);
  }
  std::ptrdiff_t found() const { return d.count(Rule::dependence_cycle); }
  Driver d{config()};
};
INSTANTIATE_TEST_SUITE_P(Levels, AnotherThread, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "native" : "graph"; });

TEST_P(AnotherThread, OneWaitLeavesAThreadFree) {
  d.fork(1, 2);
  const TaskId waiter = d.create(1), fulfiller = d.create(1);
  wait_for(1, waiter, 2, fulfiller);
  EXPECT_EQ(found(), 0);
}

TEST_P(AnotherThread, FewerWaitsThanThreads) {
  d.fork(1, 3);
  const TaskId first = d.create(1), second = d.create(1), of_first = d.create(1), of_second = d.create(1);
  wait_for(1, first, 3, of_first);
  wait_for(2, second, 3, of_second);
  EXPECT_EQ(found(), 0) << "one of three threads is free";
}

TEST_P(AnotherThread, AllThreadsMayWait) {
  d.fork(1, 2);
  const TaskId first = d.create(1), second = d.create(1), of_first = d.create(1), of_second = d.create(1);
  wait_for(1, first, 2, of_first);
  wait_for(1, second, 2, of_second);
  ASSERT_EQ(found(), 1);
  const Finding& f = d.recorder.findings.front();
  EXPECT_TRUE(f.predicted);
  ASSERT_EQ(f.steps.size(), 2u);
  EXPECT_EQ(f.steps[0].tasks.front().id, second);
  EXPECT_EQ(f.steps[1].tasks.front().id, of_second);
}

TEST_P(AnotherThread, OneWaitAfterTheOther) {
  d.fork(1, 2);
  const TaskId first = d.create(1), of_first = d.create(1);
  wait_for(1, first, 2, of_first);
  d.taskwait(1);
  const TaskId second = d.create(1), of_second = d.create(1);
  wait_for(1, second, 2, of_second);
  EXPECT_EQ(found(), 0);
}

TEST_P(AnotherThread, ADescendantMayBeExecutedByTheWaitingThread) {
  d.fork(1, 1);
  d.start(1, d.create(1));
  const TaskId event = detached(1);
  d.start(1, d.create(1));
  fulfil(1, event);
  d.end(1);
  d.taskwait(1);
  d.end(1);
  EXPECT_EQ(found(), 0);
}

TEST_P(AnotherThread, UntiedTasksAreNotConstrained) {
  d.fork(1, 1);
  const TaskId waiter = d.create(1), fulfiller = d.create(1, {}, {.untied = true});
  wait_for(1, waiter, 1, fulfiller);
  EXPECT_EQ(found(), 0);
}

TEST_P(AnotherThread, MembersOfTheTeamHaveTheirThreads) {
  d.fork(1, 2);
  for (const unsigned waiting : {1u, 2u}) {
    d.start(waiting, d.create(waiting));
    const TaskId event = detached(waiting);
    fulfil(3 - waiting, event);
    d.taskwait(waiting);
    d.end(waiting);
  }
  EXPECT_EQ(found(), 0);
}

TEST_P(AnotherThread, AMemberThatWaitsIsNoTaskOfAQueue) {
  d.fork(1, 2);
  for (const unsigned waiting : {1u, 2u}) {
    const TaskId fulfiller = d.create(3 - waiting), event = detached(waiting);
    d.start(3 - waiting, fulfiller);
    fulfil(3 - waiting, event);
    d.end(3 - waiting);
    d.taskwait(waiting);
  }
  EXPECT_EQ(found(), 0);
}

TEST_P(AnotherThread, AnEventThatTheWaitIsNotFor) {
  d.fork(1, 1);
  const TaskId event = detached(1), waiter = d.create(1), fulfiller = d.create(1);
  d.start(1, waiter);
  d.start(1, fulfiller);
  fulfil(1, event);
  d.end(1);
  d.taskwait(1);
  d.end(1);
  EXPECT_EQ(found(), 0);
}

} // namespace
} // namespace fletcher::test
