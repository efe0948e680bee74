// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that goes from task to task in memory of their thread's own: what one task of a thread left there, a later one
// finds, with all that the first one knew. That orders accesses to what they hand on so, and not those to variables.
#include "checker/constructs/locks/atomic_order.hpp"
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using Pairs = Driver::Pairs;
constexpr Address variable = 0x1000, flag = 0x1400, store = 0x1800, block = 0x2000, stack = 0x7000, list = 0x8000;

struct BlocksAbove0x2000 final : access::MemoryMap {
  bool is_static(Address a) const override { return a < block; }
  bool is_named(Address a) const override { return a < store; }
  bool is_cxx_library(Address) const override { return false; }
  access::MemoryExtent around(Address a, ThreadId) const override {
    return a < block ? access::MemoryExtent{0, block, true} : access::MemoryExtent{block, stack, false, true};
  }
};

/// Two threads. Each has thread-local memory, `list` for thread 1, and the second one a stack.
class OwnMemory : public testing::Test {
protected:
  OwnMemory() : d(configured()) {
    for (unsigned t = 1; t <= 2; ++t) {
      d.checker.thread(ThreadId{t}).tls_low = list + 0x100 * (t - 1);
      d.checker.thread(ThreadId{t}).tls_high = list + 0x100 * t;
    }
    d.checker.thread(ThreadId{2}).stack_low = stack;
    d.checker.thread(ThreadId{2}).stack_high = stack + 0x800;
    team = d.fork(1, 2);
  }
  CheckerConfig configured() {
    CheckerConfig config = small_config();
    config.memory = &memory;
    return config;
  }
  void touch_own(unsigned thread) { d.write(thread, list + 0x100 * (thread - 1), 90); }
  /// A task on thread 1 that writes at `a`, before or after it has met the thread's list.
  void hand_on(Address a, Address pc) {
    d.start(1, d.create(1));
    d.write(1, a, pc);
    touch_own(1);
    d.end(1);
  }
  /// A later one on thread 1, and a child of it on the other thread that does the second access.
  void find(Address a, Address pc, bool looks = true, unsigned creator = 2) {
    d.start(1, d.create(creator));
    if (looks) touch_own(1);
    const TaskId child = d.create(1);
    d.start(2, child);
    d.write(2, a, pc);
    d.end(2);
    d.end(1);
  }

  BlocksAbove0x2000 memory;
  Driver d;
  TeamId team{};
};

TEST_F(OwnMemory, WhatIsHandedOnThereIsOrdered) {
  hand_on(block, 11);
  find(block, 12);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(OwnMemory, WhoeverDidNotLookThereFoundNothing) {
  hand_on(block, 11);
  find(block, 12, false);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST_F(OwnMemory, VariablesAreNotFoundThere) {
  hand_on(variable, 11);
  find(variable, 12);
  hand_on(stack, 13);
  find(stack, 14);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}, {13, 14}}));
}

TEST_F(OwnMemory, NodesInAStaticStoreAre) {
  hand_on(store, 11);
  find(store, 12);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(OwnMemory, WhatATaskKnewThatLeftSomethingIsFound) {
  d.start(2, d.create(2));
  d.write(2, block, 11);
  const TaskId child = d.create(2);
  d.write(2, block + 8, 12); // not before its child
  d.start(1, child);
  touch_own(1);
  d.end(1);
  find(block, 13, true, 1);
  find(block + 8, 14, true, 1);
  EXPECT_EQ(d.races(), (Pairs{{12, 14}}));
}

TEST_F(OwnMemory, WhatATaskDoesLaterIsNotFound) {
  d.start(1, d.create(2));
  touch_own(1);
  d.write(1, block, 11);
  const TaskId first = d.current[1];
  d.start(1, d.create(2));
  touch_own(1);
  const TaskId child = d.create(1);
  d.end(1);
  EXPECT_EQ(d.current[1], first);
  d.write(1, block + 8, 12);
  d.end(1);
  d.start(2, child);
  d.write(2, block, 13);
  d.write(2, block + 8, 14);
  d.end(2);
  EXPECT_EQ(d.races(), (Pairs{{12, 14}}));
}

TEST_F(OwnMemory, ATaskThatGoesOnFindsWhatWasLeftMeanwhile) {
  d.start(1, d.create(2));
  touch_own(1);
  hand_on(block, 11);
  const TaskId child = d.create(1);
  d.end(1);
  d.run(2, child, block, access::Kind::write, 12);
  EXPECT_EQ(d.races(), Pairs{});
}

// Before another thread takes it over, an untied task tells what it has learned since it looked there first, in the
// same strand or in a later one.
TEST_F(OwnMemory, AnUntiedTaskTellsWhatItLearned) {
  access::ThreadState &writer = d.checker.thread(ThreadId{2}), &reader = d.checker.thread(ThreadId{1});
  for (const bool in_later_strand : {true, false}) {
    d.start(1, d.create(2, {}, {.untied = true}));
    touch_own(1);
    d.write(2, block, 11);
    d.access(2, flag, access::Kind::atomic_write, 21);
    writer.atomics->store(writer, flag, constructs::MemoryOrder::release, [] {});
    d.access(1, flag, access::Kind::atomic_read, 22);
    reader.atomics->after_load(reader, flag, constructs::MemoryOrder::acquire);
    if (in_later_strand) d.run(2, d.create(1), block + 8, access::Kind::write, 23);
    touch_own(1);
    d.end(1);
    find(block, 12, true, 1);
    d.barrier(team);
  }
  EXPECT_EQ(d.races(), Pairs{});
}

// Where only tasks of its thread have been, each line of code keeps its last access.
TEST_F(OwnMemory, OfTwoLinesByTurnsBothAreMet) {
  for (int i = 0; i < 20; ++i)
    for (const Address pc : {91, 92, 93}) {
      d.start(1, d.create(2));
      d.write(1, list, pc);
      d.end(1);
    }
  d.write(2, list, 12);
  EXPECT_EQ(d.races(), (Pairs{{12, 91}, {12, 92}, {12, 93}}));
}

// A list of each thread, and one that all share under a lock.
TEST_F(OwnMemory, LocksCarryIt) {
  constexpr Address lock = 0x3000;
  hand_on(block, 11);
  d.start(1, d.create(2));
  touch_own(1);
  d.lock(1, lock);
  d.write(1, variable, 12);
  d.unlock(1, lock);
  d.end(1);
  d.start(2, d.create(2));
  d.lock(2, lock);
  d.write(2, variable, 13);
  d.unlock(2, lock);
  d.write(2, block, 14);
  d.end(2);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(OwnMemory, OfWhoeverAsksForItsNumberIsFoundByTheNumber) {
  const auto asks = [&] { d.checker.asked_thread_number(d.checker.thread(ThreadId{1})); };
  d.start(1, d.create(2));
  asks();
  d.write(1, block, 11);
  d.end(1);
  d.start(1, d.create(2));
  asks();
  d.run(2, d.create(1), block, access::Kind::write, 12);
  d.end(1);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(OwnMemory, OfTasksAndTheirCreatorIsTheThreads) {
  d.start(1, d.create(1));
  touch_own(1);
  d.write(1, variable, 11);
  d.end(1);
  touch_own(1);
  d.write(1, variable, 12);
  EXPECT_EQ(d.races(), Pairs{});
}

// Their reads need no cell of their own, but are noticed all the same.
TEST_F(OwnMemory, IsMetWhereManyHaveReadIt) {
  for (int i = 0; i < 8; ++i) {
    d.start(1, d.create(2));
    d.read(1, list, 90);
    d.write(1, variable, 11);
    d.end(1);
  }
  EXPECT_EQ(d.races(), Pairs{});
}

// Another thread may go on with an untied task before the first one tells that it has left it.
TEST_F(OwnMemory, AnUntiedTaskThatIsPutAsideHasLeftItThere) {
  const TaskId aside = d.create(2, {}, {.untied = true});
  const TaskId member = d.current[1];
  d.start(1, aside);
  touch_own(1);
  d.write(1, block, 11);
  d.checker.on(TaskSwitch{ThreadId{1}, aside, member});
  d.current[1] = member;
  find(block, 12, true, 1);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(OwnMemory, ABarrierKeepsIt) {
  touch_own(1);
  d.write(1, block, 11);
  d.barrier(team);
  hand_on(block + 8, 12);
  d.barrier(team);
  find(block, 13);
  find(block + 8, 14);
  EXPECT_EQ(d.races(), Pairs{});
}

} // namespace
} // namespace fletcher::test
