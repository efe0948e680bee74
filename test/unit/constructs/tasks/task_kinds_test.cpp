// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tasks are by their clauses, and what the runtime makes of them: untied, final, target, run at once, in nested
// taskgroups, detached.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, z = 0x4000;
using Pairs = Driver::Pairs;

class TaskKinds : public testing::Test {
protected:
  TaskKinds() : team(d.fork(1, 2)) {}
  ~TaskKinds() override { d.join(team); }
  void go_on(unsigned thread, TaskId task) {
    d.checker.on(TaskSwitch{ThreadId{thread}, d.current[thread], task});
    d.current[thread] = task;
  }
  void fulfill(unsigned thread, TaskId task, bool early) { d.checker.on(TaskFulfill{ThreadId{thread}, task, early}); }
  Driver d;
  TeamId team;
};

/// A full queue makes the runtime execute a task where it is created: by the specification it stays concurrent.
TEST_F(TaskKinds, OneThatTheRuntimeRunsAtOnceIsConcurrentWithItsCreator) {
  d.run(1, d.create(1), x, access::Kind::write, 11);
  d.write(1, x, 12);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST_F(TaskKinds, TasksOfAFinalTaskAreIncludedAndOrdered) {
  const TaskId final = d.create(1, {}, {.final = true});
  d.start(2, final);
  d.run(2, d.create(2, {}, {.undeferred = true, .final = true}), x, access::Kind::write, 11);
  d.write(2, x, 12);
  d.end(2);
  d.write(1, x, 13); // the final task itself is deferred
  EXPECT_EQ(d.races(), (Pairs{{12, 13}}));
}

TEST_F(TaskKinds, AnUntiedTaskIsOneTaskOnWhateverThread) {
  const TaskId first = d.current[1], second = d.current[2];
  const TaskId task = d.create(1, {}, {.untied = true});
  go_on(1, task);
  d.write(1, x, 11);
  const TaskId child = d.create(1);
  go_on(1, first);
  go_on(2, task);
  d.write(2, x, 12);
  d.sync(2, SyncKind::taskwait, true);
  go_on(1, child);
  d.write(1, y, 13);
  d.checker.on(TaskEnd{.thread = ThreadId{1}, .task = child, .next = first});
  d.current[1] = first;
  d.sync(2, SyncKind::taskwait, false);
  d.write(2, y, 14);
  d.write(1, x, 15); // the creator has not waited
  d.checker.on(TaskEnd{.thread = ThreadId{2}, .task = task, .next = second});
  d.current[2] = second;
  EXPECT_EQ(d.races(), (Pairs{{12, 15}}));
}

/// What is copied to a device is read by the target task, what comes back is written by it; the device's own memory is
/// the runtime's affair.
TEST_F(TaskKinds, ATargetTaskAccessesTheHostsMemoryThatItMaps) {
  constexpr Address device_memory = 0x6000;
  constexpr TaskId target{1000};
  d.write(1, x, 10);
  d.checker.on(TaskCreate{ThreadId{1}, d.current[1], target, TaskKind::target, {}, 0x8000});
  d.start(2, target);
  d.checker.on(DataOp{ThreadId{2}, target, DataOpKind::to_device, true, x, 1, device_memory, 0, 8, 12});
  d.checker.on(DataOp{ThreadId{2}, target, DataOpKind::from_device, true, device_memory, 0, y, 1, 8, 14});
  d.end(2);
  d.write(1, device_memory, 15);
  d.read(1, x, 16);
  d.write(1, x, 17);
  d.read(1, y, 18);
  d.sync(1, SyncKind::taskwait, true), d.sync(1, SyncKind::taskwait, false);
  d.write(1, x, 19);
  EXPECT_EQ(d.races(), (Pairs{{11, 17}, {13, 18}}));
}

TEST_F(TaskKinds, ATargetTaskIsADeferredTask) {
  d.write(1, x, 10);
  constexpr TaskId target{1000};
  d.checker.on(TaskCreate{ThreadId{1}, d.current[1], target, TaskKind::target, {}, 0x8000});
  d.run(2, target, x, access::Kind::write, 11);
  d.write(1, x, 12);
  d.taskwait(1);
  d.write(1, x, 13);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST_F(TaskKinds, AnUndeferredTaskWithDependWaitsForItsPredecessors) {
  const TaskId first = d.create(1, {{z, DependenceType::out}}), other = d.create(1);
  d.run(2, first, x, access::Kind::write, 11);
  d.run(2, other, y, access::Kind::write, 12);
  const TaskId undeferred = d.create(1, {{z, DependenceType::in}}, {.undeferred = true});
  d.run(1, undeferred, x, access::Kind::write, 13);
  d.write(1, x, 14); // so does its creator, after it
  d.write(1, y, 15);
  EXPECT_EQ(d.races(), (Pairs{{12, 15}}));
}

TEST_F(TaskKinds, AnInnerTaskgroupWaitsForItsOwn) {
  d.sync(1, SyncKind::taskgroup, true);
  const TaskId task = d.create(1);
  d.start(2, task);
  d.run(2, d.create(2), x, access::Kind::write, 11);
  d.sync(2, SyncKind::taskgroup, true);
  const TaskId child = d.create(2);
  d.start(2, child);
  d.run(2, d.create(2), y, access::Kind::write, 12);
  d.end(2);
  d.sync(2, SyncKind::taskgroup, false);
  d.write(2, y, 13);
  d.write(2, x, 14); // created before the inner group
  d.end(2);
  d.sync(1, SyncKind::taskgroup, false);
  d.write(1, x, 15);
  d.write(1, y, 16);
  EXPECT_EQ(d.races(), (Pairs{{11, 14}}));
}

/// A detached task ends when its body and the event's fulfilment have: whoever fulfils it, and whichever comes last.
TEST_F(TaskKinds, ADetachedTaskMayFulfilItsEventItself) {
  const TaskId task = d.create(1);
  d.start(2, task);
  d.write(2, x, 11);
  fulfill(2, task, true);
  d.write(2, y, 12); // part of the task all the same
  d.end(2);
  d.taskwait(1);
  d.write(1, x, 13);
  d.write(1, y, 14);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(TaskKinds, WhatTheFulfillerDidBeforeComesBeforeWhoeverWaits) {
  const TaskId task = d.create(1), other = d.create(1);
  d.start(2, task);
  d.end(2, true);
  const TaskId foreign = d.begin_root(3, TaskKind::foreign);
  d.write(3, x, 11);
  fulfill(3, task, false);
  d.write(3, y, 12); // no more
  d.run(2, other, z, access::Kind::write, 13);
  d.taskwait(1);
  d.write(1, x, 14);
  d.write(1, y, 15);
  d.write(1, z, 16);
  EXPECT_EQ(d.races(), (Pairs{{12, 15}}));
  d.checker.on(InitialTaskEnd{ThreadId{3}, foreign});
}

TEST_F(TaskKinds, DependentsOfADetachedTaskComeAfterItsEvent) {
  const TaskId task = d.create(1, {{z, DependenceType::out}}), fulfiller = d.create(1),
               next = d.create(1, {{z, DependenceType::in}});
  d.start(2, task);
  d.write(2, x, 11);
  d.end(2, true);
  d.start(2, fulfiller);
  d.write(2, y, 12);
  fulfill(2, task, false);
  d.write(2, z, 13);
  d.end(2);
  d.start(1, next);
  d.write(1, x, 14);
  d.write(1, y, 15);
  d.write(1, z, 16);
  d.end(1);
  EXPECT_EQ(d.races(), (Pairs{{13, 16}}));
}

TEST_F(TaskKinds, ATaskgroupWaitsForEventsOfItsDescendants) {
  d.sync(1, SyncKind::taskgroup, true);
  const TaskId task = d.create(1);
  d.start(2, task);
  d.end(2, true);
  d.write(2, x, 11);
  fulfill(2, task, false);
  d.sync(1, SyncKind::taskgroup, false);
  d.write(1, x, 12);
  EXPECT_EQ(d.races(), Pairs{});
}

} // namespace
} // namespace fletcher::test
