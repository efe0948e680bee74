// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lock-order-cycle: which opposite orders can deadlock.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address a = 0x3000, b = 0x3008, c = 0x3010, gate = 0x3018;

class LockOrderTest : public testing::Test, public Driver {
protected:
  /// Takes the locks one within the other, the innermost at `pc`, and lets go.
  void take(unsigned thread, std::initializer_list<Address> locks, Address pc, MutexKind kind = MutexKind::lock) {
    Address at = pc - locks.size();
    for (const Address l : locks) lock(thread, l, kind, ++at);
    for (auto l = locks.end(); l != locks.begin();) unlock(thread, *--l, kind);
  }
  void run_task(unsigned thread, TaskId task, std::initializer_list<Address> locks, Address pc) {
    start(thread, task);
    take(thread, locks, pc);
    end(thread);
  }
  /// The places of the waits of each cycle, each cycle sorted.
  std::set<std::set<Address>> cycles() const {
    std::set<std::set<Address>> result;
    for (const Finding& f : recorder.findings) {
      if (f.rule != Rule::lock_order_cycle) continue;
      std::set<Address> places;
      for (std::size_t i = 0; i < f.steps.size(); i += 2) places.insert(f.steps[i].stack.front());
      result.insert(places);
    }
    return result;
  }
  using Cycles = std::set<std::set<Address>>;
};

TEST_F(LockOrderTest, MembersInOppositeOrders) {
  const TeamId team = fork(1, 2);
  take(1, {a, b}, 110);
  take(2, {b, a}, 120);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 120}}));
  const Finding& f = recorder.findings.front();
  ASSERT_EQ(f.steps.size(), 4u);
  EXPECT_EQ(f.severity, Severity::error);
  EXPECT_TRUE(f.predicted);
  EXPECT_EQ(f.steps[0].mutex->address, a);
  EXPECT_EQ(f.steps[1].mutex->address, b);
  EXPECT_EQ(f.steps[1].stack.front(), 119u);
  EXPECT_EQ(f.steps[2].tasks.front().kind, TaskKind::implicit);
}

TEST_F(LockOrderTest, CirclesOfThreeThatDifferInOnePlace) {
  const TeamId team = fork(1, 3);
  take(1, {a, b}, 110);
  take(2, {b, c}, 130);
  take(3, {c, a}, 120);
  take(3, {c, a}, 125);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 120, 130}, {110, 125, 130}}));
}

TEST_F(LockOrderTest, OneOrderIsFine) {
  const TeamId team = fork(1, 2);
  take(1, {a, b, c}, 110);
  take(2, {a, c}, 120);
  take(2, {b, c}, 130);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderTest, TasksOfOneThread) {
  const TeamId team = fork(1, 2);
  const TaskId first = create(1), second = create(1);
  run_task(1, first, {a, b}, 110);
  run_task(1, second, {b, a}, 120);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 120}}));
}

TEST_F(LockOrderTest, OneTaskIsOrdered) {
  const TeamId team = fork(1, 2);
  take(1, {a, b}, 110);
  take(1, {b, a}, 120);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderTest, GuaranteedOrderSeparates) {
  const TeamId team = fork(1, 2);
  take(1, {a, b}, 110);
  barrier(team);
  take(2, {b, a}, 120);
  const TaskId child = create(2);
  run_task(1, child, {c, a}, 130);
  taskwait(2);
  take(2, {a, c}, 140);
  const TaskId writer = create(1, {{0x5000, DependenceType::out, false}});
  const TaskId reader = create(1, {{0x5000, DependenceType::in, false}});
  run_task(1, writer, {c, b}, 150);
  run_task(2, reader, {b, c}, 160);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderTest, TheSameCodeAfterABarrierIsLookedAtAgain) {
  const TeamId team = fork(1, 3);
  take(1, {a, b}, 110);
  barrier(team);
  take(3, {a, b}, 110);
  take(2, {b, a}, 120);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 120}}));
}

TEST_F(LockOrderTest, ARegionEndsTheDanger) {
  TeamId team = fork(1, 2);
  take(1, {a, b}, 110);
  join(team);
  team = fork(1, 2);
  take(2, {b, a}, 120);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderTest, AGateOfBoth) {
  const TeamId team = fork(1, 2);
  take(1, {gate, a, b}, 110);
  take(2, {gate, b, a}, 120);
  EXPECT_EQ(cycles(), Cycles{});
  take(2, {b, a}, 130);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 130}}));
}

TEST_F(LockOrderTest, ThreeLocks) {
  const TeamId team = fork(1, 4);
  take(1, {a, b}, 110);
  take(2, {b, c}, 120);
  take(3, {c, a}, 130);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 120, 130}}));
}

TEST_F(LockOrderTest, TwoOfThreeHaveAGate) {
  const TeamId team = fork(1, 4);
  take(1, {gate, a, b}, 110);
  take(2, {b, c}, 120);
  take(3, {gate, c, a}, 130);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderTest, TwoOfThreeAreOrdered) {
  const TeamId team = fork(1, 2);
  take(1, {a, b}, 110);
  const TaskId child = create(1);
  run_task(1, child, {b, c}, 120); // after the first one
  take(2, {c, a}, 130);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderTest, TestingDoesNotWait) {
  const TeamId team = fork(1, 2);
  take(1, {a, b}, 110);
  lock(2, b, MutexKind::lock, 119);
  test_lock(2, a, 120);
  lock(2, c, MutexKind::lock, 121);
  unlock(2, c);
  unlock(2, a);
  unlock(2, b);
  EXPECT_EQ(cycles(), Cycles{});
  take(1, {c, a}, 130); // but what it got that way it holds
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{121, 130}}));
}

TEST_F(LockOrderTest, MutexinoutsetIsAGate) {
  const TeamId team = fork(1, 2);
  const TaskId first = create(1, {{0x5000, DependenceType::mutexinoutset, false}});
  const TaskId second = create(1, {{0x5000, DependenceType::mutexinoutset, false}});
  const TaskId third = create(1, {{0x5008, DependenceType::mutexinoutset, false}});
  run_task(1, first, {a, b}, 110);
  run_task(2, second, {b, a}, 120);
  EXPECT_EQ(cycles(), Cycles{});
  run_task(2, third, {b, a}, 130);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 130}}));
}

TEST_F(LockOrderTest, AnUndeferredTaskRunsUnderItsCreatorsLocks) {
  const TeamId team = fork(1, 2);
  lock(1, a, MutexKind::lock, 109);
  const TaskId child = create(1, {}, {.undeferred = true});
  run_task(1, child, {b}, 110);
  unlock(1, a);
  take(2, {b, a}, 120);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 120}}));
}

TEST_F(LockOrderTest, WhatATaskAwaitsInsideACriticalSectionIsInside) {
  const TeamId team = fork(1, 2);
  for (const unsigned thread : {1u, 2u}) {
    lock(thread, gate, MutexKind::critical, 100);
    const TaskId child = create(thread);
    if (thread == 1)
      run_task(thread, child, {a, b}, 110);
    else
      run_task(thread, child, {b, a}, 120);
    taskwait(thread);
    unlock(thread, gate, MutexKind::critical);
  }
  EXPECT_EQ(cycles(), Cycles{});
  lock(1, gate, MutexKind::critical, 100);
  const TaskId child = create(1);
  unlock(1, gate, MutexKind::critical);
  run_task(1, child, {a, b}, 130); // nobody waited for it in there
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{120, 130}}));
}

TEST_F(LockOrderTest, MembersUnderOneGateAreNotKeptApartByIt) {
  lock(1, gate, MutexKind::lock, 100);
  const TeamId team = fork(1, 2);
  take(1, {a, b}, 110);
  take(2, {b, a}, 120);
  join(team);
  unlock(1, gate);
  EXPECT_EQ(cycles(), (Cycles{{110, 120}}));
}

TEST_F(LockOrderTest, AnotherLockAtTheSameAddress) {
  const TeamId team = fork(1, 2);
  take(1, {a, b}, 110);
  life(1, a, MutexStep::destroy);
  life(2, a, MutexStep::init);
  take(2, {b, a}, 120);
  EXPECT_EQ(cycles(), Cycles{});
  take(1, {a, b}, 130);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{120, 130}}));
}

TEST_F(LockOrderTest, AnUnsetByAnotherTaskEndsTheHolding) {
  const TeamId team = fork(1, 2);
  lock(1, a, MutexKind::lock, 109);
  unlock(2, a);
  lock(1, b, MutexKind::lock, 110);
  unlock(1, b);
  take(2, {b, a}, 120);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

// What a task holds around each of its waits is kept: for a table whose locks are all taken that would be the square of
// their number.
TEST_F(LockOrderTest, WhoHoldsATableOfLocksHasNoOrderBeyondTheFirst) {
  constexpr Address table = 0x10000, many = 200;
  const TeamId team = fork(1, 2);
  for (Address i = 0; i < many; ++i) lock(1, table + 8 * i, MutexKind::lock, 1000 + i);
  for (Address i = 0; i < many; ++i) unlock(1, table + 8 * i);
  take(2, {table + 8 * 20, table + 8 * 10}, 120);
  take(2, {table + 8 * 150, table + 8 * 140}, 130);
  take(1, {table + 8 * 140, table + 8 * 150}, 110);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 130}, {120, 1020}}));
}

// Locks that others unset do not count, however many.
TEST_F(LockOrderTest, WhoseTableOfLocksOthersUnsetHasAnOrderAgain) {
  constexpr Address table = 0x10000, many = 127;
  const TeamId team = fork(1, 2);
  for (Address i = 0; i < many; ++i) lock(1, table + 8 * i, MutexKind::lock, 1000 + i);
  for (Address i = 0; i < many; ++i) unlock(2, table + 8 * i);
  take(1, {a, b}, 110);
  take(2, {b, a}, 120);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 120}}));
}

TEST_F(LockOrderTest, WhoWaitsForALockThatOthersUnsetDoesNotWaitForItsHolder) {
  const TeamId team = fork(1, 2);
  lock(1, a, MutexKind::lock, 109);
  unlock(2, a);
  take(1, {a, b}, 110);
  take(2, {b, a}, 120);
  EXPECT_EQ(cycles(), Cycles{});
  take(1, {b, c}, 130);
  take(2, {c, b}, 140);
  life(1, a, MutexStep::destroy);
  life(1, a, MutexStep::init);
  take(1, {a, gate}, 150);
  take(2, {gate, a}, 160);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{130, 140}, {150, 160}}));
  EXPECT_EQ(recorder.findings.back().severity, Severity::warning);
}

// The first reader takes b for all of them, and counts them under a.
TEST_F(LockOrderTest, ReadersThatAreCountedUnderTheInnerOfTwoLocks) {
  const TeamId team = fork(1, 2);
  for (const Address l : {gate, a, b}) lock(1, l, MutexKind::lock, 109);
  for (const Address l : {a, gate}) unlock(1, l);
  for (const Address l : {gate, a}) lock(1, l, MutexKind::lock, 120);
  for (const Address l : {b, a, gate}) unlock(1, l);
  take(2, {gate, a, b}, 110);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderTest, OrderedRegionsWaitForEarlierIterationsOnly) {
  const TeamId team = fork(1, 2);
  // Iteration 0 takes a inside its ordered region; iteration 1, a member later, holds a when it gets there.
  lock(1, 0x3100, MutexKind::ordered, 109);
  take(1, {a}, 110);
  unlock(1, 0x3100, MutexKind::ordered);
  lock(2, a, MutexKind::lock, 119);
  lock(2, 0x3100, MutexKind::ordered, 120);
  unlock(2, 0x3100, MutexKind::ordered);
  unlock(2, a);
  EXPECT_EQ(cycles(), (Cycles{{110, 120}}));
  join(team);
}

TEST_F(LockOrderTest, ALaterOrderedRegionCannotBlockAnEarlierOne) {
  const TeamId team = fork(1, 2);
  lock(2, a, MutexKind::lock, 119);
  lock(2, 0x3100, MutexKind::ordered, 120);
  unlock(2, 0x3100, MutexKind::ordered);
  unlock(2, a);
  lock(1, 0x3100, MutexKind::ordered, 109);
  take(1, {a}, 110);
  unlock(1, 0x3100, MutexKind::ordered);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderTest, FreedMemoryHasNoMutexesAnyMore) {
  const TeamId team = fork(1, 2);
  take(1, {a, b}, 110, MutexKind::posix);
  checker.on(MemoryEnd{ThreadId{1}, a, 4, MemoryKind::heap, 0});
  take(2, {b, a}, 120, MutexKind::posix);
  EXPECT_EQ(cycles(), Cycles{});
  take(1, {a, b}, 130, MutexKind::posix);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{120, 130}}));
}

// A library's release may not be seen. By the time of the next acquisition the mutex was free.
TEST_F(LockOrderTest, AMutexThatItsHolderTakesAgainWasLetGoOf) {
  const TeamId team = fork(1, 2);
  lock(1, a, MutexKind::posix, 110);
  lock(1, a, MutexKind::posix, 111);
  unlock(1, a, MutexKind::posix, 112);
  take(1, {b}, 113, MutexKind::posix);
  take(2, {b, a}, 120, MutexKind::posix);
  EXPECT_EQ(cycles(), Cycles{});
  join(team);
}

// A lock is needed by a wait as well: held by somebody, it keeps the waiter's locks from being left.
class LockOrderOfWaits : public LockOrderTest {
protected:
  void wait_under(unsigned thread, Address held) {
    lock(thread, held, MutexKind::lock, 109);
    taskwait(thread);
    unlock(thread, held);
  }
};

TEST_F(LockOrderOfWaits, AChildTookTheOtherLock) {
  const TeamId team = fork(1, 2);
  take(2, {b, a}, 120);
  run_task(1, create(1), {b}, 110);
  wait_under(1, a);
  join(team);
  ASSERT_EQ(cycles(), (Cycles{{110, 120}}));
  const Finding& f = recorder.findings.front();
  EXPECT_EQ(f.steps[2].stack.front(), 110u);
  EXPECT_EQ(f.steps[3].stack.front(), 109u) << "the lock that the waiter holds";
}

TEST_F(LockOrderOfWaits, TheOppositeOrderComesLater) {
  const TeamId team = fork(1, 2);
  run_task(1, create(1), {b}, 110);
  wait_under(1, a);
  take(2, {b, a}, 120);
  join(team);
  EXPECT_EQ(cycles(), (Cycles{{110, 120}}));
}

TEST_F(LockOrderOfWaits, OneOrderIsFine) {
  const TeamId team = fork(1, 2);
  take(2, {a, b}, 120);
  run_task(1, create(1), {b}, 110);
  wait_under(1, a);
  take(2, {a, b}, 130);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderOfWaits, WhoIsNotWaitedForDoesNotCount) {
  const TeamId team = fork(1, 3);
  take(2, {b, a}, 120);
  take(3, {b}, 130);
  wait_under(1, a);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderOfWaits, WhoTakesThemAfterTheWaitMeetsNobody) {
  const TeamId team = fork(1, 2);
  run_task(1, create(1), {b}, 110);
  wait_under(1, a);
  take(1, {b, a}, 120);
  run_task(2, create(1), {b, a}, 130);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderOfWaits, AGateKeepsThemApart) {
  const TeamId team = fork(1, 2);
  take(2, {gate, b, a}, 120);
  run_task(1, create(1), {b}, 110);
  lock(1, gate);
  wait_under(1, a);
  unlock(1, gate);
  join(team);
  EXPECT_EQ(cycles(), Cycles{});
}

TEST_F(LockOrderOfWaits, SiblingsThatExcludeEachOther) {
  const TeamId team = fork(1, 2);
  const Dependence exclusive{0x5000, DependenceType::mutexinoutset, false};
  const TaskId first = create(1, {exclusive}), second = create(1, {exclusive, {0x5008, DependenceType::out, false}});
  run_task(2, first, {a}, 120);
  run_task(2, second, {}, 130);
  lock(1, a, MutexKind::lock, 109);
  const Dependence item{0x5008, DependenceType::in, false};
  for (const bool begin : {true, false}) checker.on(TaskwaitDepend{ThreadId{1}, current[1], {&item, 1}, begin, 0x7000});
  unlock(1, a);
  join(team);
  ASSERT_EQ(cycles().size(), 1u) << "the wait is for the second, which comes after the first, which needs the lock";
}

} // namespace
} // namespace fletcher::test
