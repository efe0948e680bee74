// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a task goes on reading after it took or left a lock: each strand's read takes the place of one like it among the
// granule's cells (renew.cpp).
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <string>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, lock = 0x3000, counter = 0x4000, elsewhere = 0x8000;
using Pairs = Driver::Pairs;
using access::Kind;

/// Three members, all in a function of the same place, who have been at the place 11.
struct BetweenLocks : testing::TestWithParam<Kind> {
  BetweenLocks() : team(d.fork(1, 3)) { enter(); }
  void enter() {
    for (const unsigned t : {1u, 2u, 3u}) {
      d.checker.thread(ThreadId{t}).stack.push(1, 0);
      read(t, 11, 0x2100);
    }
  }
  /// A section that reads what the one before it wrote, so that nobody predicts another order; then a strand in which
  /// the thread has accessed something.
  void section(unsigned thread) {
    d.lock(thread, lock);
    d.write(thread, counter, 90);
    d.unlock(thread, lock);
    d.read(thread, elsewhere, 91);
  }
  void read(unsigned thread, Address pc, Address address = x, std::size_t size = 8) {
    d.access(thread, address, GetParam(), pc, size);
  }
  /// Four tasks that thread 3 creates and executes read all of x at one place.
  void fill_by_tasks(Address pc) {
    for (int i = 0; i < 4; ++i) {
      d.start(3, d.create(3));
      d.checker.thread(ThreadId{3}).stack.push(1, 0);
      read(3, pc);
      d.checker.thread(ThreadId{3}).stack.pop();
      d.end(3);
    }
  }
  template <class Body> void task(Body body) {
    d.start(1, d.create(1));
    d.checker.thread(ThreadId{1}).stack.push(1, 0);
    body();
    d.checker.thread(ThreadId{1}).stack.pop();
    d.end(1);
  }
  Driver d;
  TeamId team;
};

TEST_P(BetweenLocks, TheLatestReadIsMet) {
  read(3, 31);
  read(1, 11);
  section(1);
  read(1, 11);
  section(2);
  d.write(2, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {21, 31}}));
}

TEST_P(BetweenLocks, WhatALockTellsLeavesThePastTheSame) {
  section(2), read(1, 11), d.lock(1, lock), read(1, 11);
  EXPECT_TRUE(d.checker.thread(ThreadId{1}).same_past());
}

TEST_P(BetweenLocks, AReadBeforeTheLockIsNotTakenForALaterOne) {
  read(3, 31);
  read(1, 11);
  section(1);
  section(2);
  d.write(2, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{21, 31}}));
}

TEST_P(BetweenLocks, AWriteSinceIsMet) {
  read(3, 31);
  read(1, 11);
  section(1);
  section(2);
  d.write(2, x, 21); // in this run's order after the read
  read(1, 11);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {21, 31}}));
}

/// Strands have numbers that threads take by the hundred: between two of one task there are others.
TEST_P(BetweenLocks, AnotherTasksReadIsNotTakenForAnEarlierOne) {
  d.read(1, elsewhere, 91);
  read(3, 31);
  read(1, 11);
  for (int i = 0; i < 200; ++i) section(1);
  read(1, 11);
  section(2);
  d.write(2, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {21, 31}}));
}

TEST_P(BetweenLocks, OnlyTheBytesThatAreReadAgainAreMet) {
  read(3, 31);
  read(1, 11);
  section(1);
  read(1, 11, x, 2);
  read(1, 11, x + 2, 2);
  section(2);
  d.access(2, x + 4, Kind::write, 21, 4);
  EXPECT_EQ(d.races(), (Pairs{{21, 31}}));
  d.access(2, x + 2, Kind::write, 22, 1);
  d.access(2, x, Kind::write, 23, 1);
  EXPECT_EQ(d.races(), (Pairs{{21, 31}, {22, 31}, {11, 22}, {23, 31}, {11, 23}}));
}

TEST_P(BetweenLocks, AReadUnderTheLockDoesNotStandForOneWithout) {
  read(3, 31);
  d.lock(1, lock), d.write(1, counter, 90), read(1, 11), d.unlock(1, lock);
  d.read(1, elsewhere, 91);
  read(1, 11);
  d.lock(2, lock), d.write(2, counter, 90), d.write(2, x, 21), d.unlock(2, lock);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {21, 31}}));
}

TEST_P(BetweenLocks, AReadIsMetWhereAllCellsAreInUse) {
  section(1);
  fill_by_tasks(11);
  read(1, 11);
  d.taskwait(3);
  d.write(3, x, 21); // after the tasks
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

TEST_P(BetweenLocks, AReadOfPartIsMetThereWhereAllCellsAreInUse) {
  section(1);
  fill_by_tasks(11);
  read(1, 11, x + 4, 4);
  d.taskwait(3);
  d.access(3, x, Kind::write, 21, 4);
  EXPECT_EQ(d.races(), Pairs{});
  d.access(3, x + 4, Kind::write, 22, 4);
  EXPECT_EQ(d.races(), (Pairs{{11, 22}}));
}

/// Tasks of two threads read by turns: the latest one of each thread stays.
TEST_P(BetweenLocks, ThreadsLeaveEachOthersCellsAlone) {
  fill_by_tasks(11);
  d.taskwait(3);
  section(3);
  for (int turn = 0; turn < 3; ++turn)
    for (const unsigned t : {2u, 1u}) {
      d.start(t, d.create(t));
      d.checker.thread(ThreadId{t}).stack.push(1, 0);
      section(t);
      read(t, 11);
      d.checker.thread(ThreadId{t}).stack.pop();
      d.end(t);
      if (turn < 2) d.taskwait(t), section(t);
    }
  d.taskwait(1);
  section(1);
  d.write(1, x, 21); // after the tasks of thread 1, and in this run's order after all but the last read of thread 2
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

/// What a thread has found out about a granule holds until somebody else has accessed it.
TEST_P(BetweenLocks, AWriteSinceIsMetWhereAllCellsAreInUse) {
  fill_by_tasks(11);
  d.taskwait(3);
  section(3);
  for (int i = 0; i < 3; ++i) section(1), read(1, 11);
  section(1), section(2);
  d.write(2, x, 21); // in this run's order after the reads
  EXPECT_EQ(d.races(), Pairs{});
  read(1, 11);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

TEST_P(BetweenLocks, TheLatestReadIsMetWhereAllCellsAreInUse) {
  fill_by_tasks(11);
  d.taskwait(3);
  section(3);
  for (int i = 0; i < 4; ++i) {
    section(1), section(2);
    read(1, 11, x + i % 2 * 4, 4);
    read(1, 11, x + (1 - i % 2) * 4, 4);
  }
  d.access(2, x, Kind::write, 21, 4);
  d.access(2, x + 4, Kind::write, 22, 4);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {11, 22}}));
}

/// A task of thread 1 reads between locks, and then another one, which does not come after it.
TEST_P(BetweenLocks, AnotherTasksReadAtAnotherLineStays) {
  fill_by_tasks(11);
  d.taskwait(3);
  section(3), section(2);
  task([&] {
    for (int i = 0; i < 3; ++i) section(1), read(1, 11);
  });
  task([&] { read(1, 12, elsewhere + 8), section(1), read(1, 12); });
  d.write(2, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {12, 21}}));
}

TEST_P(BetweenLocks, AnotherTasksReadOfAnotherPartStays) {
  for (int i = 0; i < 4; ++i) {
    d.start(3, d.create(3));
    d.checker.thread(ThreadId{3}).stack.push(1, 0);
    read(3, 11, x + 4, 4);
    d.checker.thread(ThreadId{3}).stack.pop();
    d.end(3);
  }
  task([&] {
    for (int i = 0; i < 3; ++i) section(1), read(1, 11, x, 4);
  });
  task([&] { section(1), read(1, 11, x + 4, 4); });
  d.access(2, x, Kind::write, 21, 4);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

TEST_P(BetweenLocks, OfAnEarlierReadOfAllOnlyThePartReadAgainIsMetWhereAllCellsAreInUse) {
  fill_by_tasks(11);
  d.taskwait(3);
  section(3);
  read(1, 11);
  section(1);
  read(1, 11, x + 4, 4);
  section(2);
  d.access(2, x, Kind::write, 21, 4);
  EXPECT_EQ(d.races(), Pairs{});
  d.access(2, x + 4, Kind::write, 22, 4);
  EXPECT_EQ(d.races(), (Pairs{{11, 22}}));
}

TEST_P(BetweenLocks, AnotherPartDoesNotTakeThePlaceOfAnEarlierRead) {
  fill_by_tasks(11);
  read(1, 11, x, 4);
  section(1);
  read(1, 11, x + 4, 4);
  d.taskwait(3);
  d.access(3, x, Kind::write, 21, 4);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

/// What is known to come before the read gives way to it, not what does not.
TEST_P(BetweenLocks, WhatComesBeforeGivesWayFirst) {
  constexpr Address y = 0x2000;
  for (const std::size_t size : {4, 8, 4}) { // the second one's cell is the one that thread 1 prefers
    d.start(3, d.create(3));
    d.checker.thread(ThreadId{3}).stack.push(1, 0);
    read(3, 11, x, size);
    d.checker.thread(ThreadId{3}).stack.pop();
    d.end(3);
  }
  d.start(1, d.create(1));
  d.checker.thread(ThreadId{1}).stack.push(1, 0);
  read(1, 11, x, 1);
  d.write(1, y, 80);
  d.checker.thread(ThreadId{1}).stack.pop();
  d.end(1);
  d.taskwait(1);
  section(1);
  d.read(1, y, 12); // asks for the order
  read(1, 11, x, 1);
  d.access(2, x + 7, Kind::write, 21, 1);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

/// What the cells record of a region that is over no longer counts, nor does their number.
TEST_P(BetweenLocks, AReadIsMetWhereAllCellsAreOfARegionBefore) {
  fill_by_tasks(11);
  for (int i = 0; i < 3; ++i) section(1), read(1, 11);
  for (const unsigned t : {1u, 2u, 3u}) d.checker.thread(ThreadId{t}).stack.pop();
  d.join(team);
  d.fork(1, 3);
  enter();
  section(1);
  read(1, 11);
  section(2);
  d.write(2, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

INSTANTIATE_TEST_SUITE_P(, BetweenLocks, testing::Values(Kind::read, Kind::atomic_read),
                         [](const auto& kind) { return std::string(kind.param == Kind::read ? "plain" : "atomic"); });

/// Who reads atomically what another one wrote may go on because of it: no other order of their sections is predicted.
TEST(AfterALock, WhatAnAtomicReadMayHaveReadIsNoted) {
  for (const bool reads : {false, true}) {
    Driver d;
    d.fork(1, 3);
    constexpr Address data = 0x2000, other_lock = 0x3100;
    d.checker.thread(ThreadId{1}).stack.push(1, 0);
    const auto section = [&](unsigned thread, Address l) {
      d.lock(thread, l), d.write(thread, counter + thread * 8, 90 + thread), d.unlock(thread, l);
    };
    d.access(3, x, Kind::atomic_read, 31, 4);
    d.access(1, x, Kind::atomic_read, 11, 4);
    section(1, lock);
    d.write(2, data, 21);
    section(2, other_lock);
    d.access(2, x, Kind::atomic_write, 22, 4);
    d.write(1, elsewhere, 12);
    if (reads) d.access(1, x, Kind::atomic_read, 11, 4);
    section(1, other_lock);
    d.read(1, data, 13);
    EXPECT_EQ(d.races(), reads ? Pairs{} : (Pairs{{13, 21}}));
  }
}

/// Each task notes for itself what it may have read, also where the thread knows the granule from another one.
TEST(AfterALock, WhatAnotherTaskOfTheThreadHasNotedIsNotedAgain) {
  for (const bool reads : {false, true}) {
    Driver d;
    d.fork(1, 3);
    constexpr Address data = 0x2000, other_lock = 0x3100;
    Address place = counter; // of its own for each section: no value makes one come before another
    const auto section = [&](unsigned thread, Address l) {
      d.lock(thread, l), d.write(thread, place += 8, 90), d.unlock(thread, l);
    };
    const auto task = [&](unsigned thread, const std::function<void()>& body) {
      d.start(thread, d.create(thread));
      d.checker.thread(ThreadId{thread}).stack.push(1, 0);
      body();
      d.checker.thread(ThreadId{thread}).stack.pop();
      d.end(thread);
    };
    for (int i = 0; i < 3; ++i) task(3, [&] { d.access(3, x, Kind::atomic_read, 11, 4); });
    d.write(2, data, 21);
    section(2, other_lock);
    d.access(2, x, Kind::atomic_write, 22, 4);
    task(1, [&] {
      for (int i = 0; i < 3; ++i) section(1, lock), d.access(1, x, Kind::atomic_read, 11, 4);
    });
    task(1, [&] {
      section(1, lock);
      d.write(1, elsewhere, 12);
      if (reads) d.access(1, x, Kind::atomic_read, 11, 4);
      section(1, other_lock);
      d.read(1, data, 13);
    });
    EXPECT_EQ(d.races(), reads ? Pairs{} : (Pairs{{13, 21}}));
  }
}

TEST(AfterALock, AnAtomicReadThatFoundNoPlaceLooksAgain) {
  Driver d;
  d.fork(1, 2);
  d.lock(1, lock), d.write(1, counter, 90), d.unlock(1, lock);
  const auto start = [&] { d.start(2, d.create(1)); };
  for (Address byte = 0; byte < 4; ++byte) start(), d.access(2, x + byte, Kind::write, 11 + byte, 1), d.end(2);
  start();
  for (int again = 0; again < 3; ++again) d.access(2, x + 4, Kind::atomic_read, 21, 1);
  EXPECT_EQ(d.races(), Pairs{});
  d.access(1, x + 4, Kind::write, 31, 1);
  d.access(2, x + 4, Kind::atomic_read, 21, 1);
  EXPECT_EQ(d.races(), (Pairs{{21, 31}}));
  d.end(2);
}

/// Members and their tasks read parts of a granule at few places, between locks and under them; then somebody who knows
/// none of them writes its bytes. Whatever is reported was read there.
TEST(AfterALock, WhatIsToldWasRead) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int program = 0; program < 2000; ++program) {
    Driver d;
    constexpr unsigned members = 4, writer = members + 1;
    d.fork(1, writer);
    for (unsigned t = 1; t <= members; ++t) d.checker.thread(ThreadId{t}).stack.push(1, 0);
    std::array<bool, 8> read{};
    std::array<unsigned, members + 1> open{};
    for (int step = 0; step < 60; ++step) {
      const unsigned t = 1 + random() % members;
      switch (random() % 6) {
      case 0:
        d.lock(t, lock + 8 * t), d.unlock(t, lock + 8 * t);
        break;
      case 1:
        if (open[t] != 0)
          d.checker.thread(ThreadId{t}).stack.pop(), d.end(t), --open[t];
        else
          d.start(t, d.create(t)), d.checker.thread(ThreadId{t}).stack.push(1, 0), ++open[t];
        break;
      default: {
        const Address size = Address{1} << random() % 4, at = random() % 8 / size * size, pc = 11 + random() % 2;
        d.access(t, x + at, random() % 8 == 0 ? Kind::atomic_read : Kind::read, pc, size);
        for (Address byte = at; byte < at + size; ++byte) read[byte] = true;
      }
      }
    }
    for (Address byte = 0; byte < 8; ++byte) d.access(writer, x + byte, Kind::write, 20 + byte, 1);
    for (const auto& [reads, writes] : d.races())
      EXPECT_TRUE(read[writes - 20]) << "byte " << writes - 20 << " at " << reads;
    EXPECT_EQ(d.races().empty(), std::ranges::none_of(read, std::identity()));
    for (unsigned t = 1; t <= members; ++t)
      for (; open[t] != 0; --open[t]) d.checker.thread(ThreadId{t}).stack.pop(), d.end(t);
  }
}

} // namespace
} // namespace fletcher::test
