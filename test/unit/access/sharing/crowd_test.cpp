// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that more strands read than a granule has cells: reads beside many others are looked at in one cell only, and
// tasks that know the same share what they found out. Who writes there concurrently is met, who comes after is not.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using Pairs = Driver::Pairs;

struct Crowd : testing::Test {
  static constexpr Address first = 0x10000, words = 200, last = first + (words - 1) * 8;
  static constexpr unsigned members = 6;
  Crowd() { team = d.fork(1, members); }
  ~Crowd() override { d.join(team); }
  void read_all(unsigned thread, Address pc) {
    for (Address at = first; at <= last; at += 8) d.read(thread, at, pc);
  }
  /// Tasks of `creator`'s current task, which run on threads 2 to 5 by turns.
  void readers(unsigned creator, unsigned count, Address pc) {
    for (unsigned i = 0; i < count; ++i) {
      const unsigned on = 2 + i % 4;
      d.start(on, d.create(creator));
      d.checker.thread(ThreadId{on}).stack.push(1, 0);
      read_all(on, pc);
      d.end(on);
    }
  }
  bool is_crowd(Address at) { return access::Cell(*access::first_cell(d.checker.thread(ThreadId{1}), at)).is_crowd(); }
  Driver d;
  TeamId team{};
};

TEST_F(Crowd, IsSeenInTheFirstCell) {
  readers(1, 3, 11);
  EXPECT_FALSE(is_crowd(last));
  readers(1, 9, 11);
  EXPECT_TRUE(is_crowd(last));
  d.write(6, last, 31);
  EXPECT_FALSE(is_crowd(last));
}

TEST_F(Crowd, IsMetByAConcurrentWriteOfEachWord) {
  readers(1, 12, 11);
  for (Address at = first; at <= last; at += 8) {
    d.write(6, at, 31 + at);
    EXPECT_TRUE(d.races().contains(std::pair<Address, Address>(11, 31 + at))) << at;
  }
}

TEST_F(Crowd, ComesBeforeWhoWaitedForAll) {
  readers(1, 12, 11);
  d.taskwait(1);
  for (Address at = first; at <= last; at += 8) d.write(1, at, 31);
  EXPECT_EQ(d.races(), Pairs{});
}

// The tasks of thread 6 read one half of what those of thread 1 read at the same place, and these come before the
// write.
TEST_F(Crowd, TellsNoBytesOfAReadThatItDidNotRead) {
  readers(1, 12, 11);
  for (unsigned i = 0; i < 40; ++i) {
    const unsigned on = 2 + i % 4;
    d.start(on, d.create(6));
    d.checker.thread(ThreadId{on}).stack.push(1, 0);
    for (Address at = first; at <= last; at += 8) d.access(on, at, access::Kind::read, 11, 4);
    d.end(on);
  }
  d.taskwait(1);
  for (Address at = first; at <= last; at += 8) d.access(1, at + 4, access::Kind::write, 31, 4);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(Crowd, OfAnEarlierPhaseDoesNotHideAReadOfALaterOne) {
  readers(1, 12, 11);
  d.taskwait(1);
  readers(1, 1, 21);
  d.write(1, last, 31);
  EXPECT_EQ(d.races(), (Pairs{{21, 31}}));
}

// Its tasks share its past with others, as long as it waits for none.
TEST_F(Crowd, OfItsOwnTasksDoesNotHideAReadAfterItHasWaited) {
  d.start(6, d.create(1));
  readers(6, 12, 11);
  d.taskwait(6);
  readers(6, 1, 21);
  d.write(6, last, 31);
  EXPECT_EQ(d.races(), (Pairs{{21, 31}}));
  d.end(6);
}

// An earlier task of the same creator is concurrent with what the creator did later; a later task is not.
TEST_F(Crowd, OfTasksThatShareAPastIsAskedAnewAboutWhoCreatedThem) {
  readers(1, 12, 11);
  d.write(1, last, 31);
  EXPECT_EQ(d.races(), (Pairs{{11, 31}}));
  readers(1, 1, 41);
  EXPECT_EQ(d.races(), (Pairs{{11, 31}}));
}

// A place that reads what many read at another one is recorded often enough to be reported, too.
TEST_F(Crowd, AtOnePlaceDoesNotHideAnotherPlace) {
  readers(1, 12, 11);
  readers(1, 4, 12);
  for (Address at = first; at <= last; at += 8) d.write(6, at, 31);
  EXPECT_EQ(d.races(), (Pairs{{11, 31}, {12, 31}}));
}

// What a thread reads again and again is not recorded in the cells, but the last such read is kept.
TEST_F(Crowd, KeepsTheLastReadOfEachThread) {
  readers(1, 60, 11);
  d.taskwait(1);
  readers(1, 1, 11);
  for (Address at = first; at <= last; at += 8) {
    d.write(1, at, 31 + at);
    EXPECT_TRUE(d.races().contains(std::pair<Address, Address>(11, 31 + at))) << at;
  }
}

TEST_F(Crowd, KeepsTheLastAtomicUpdateOfEachThread) {
  const auto updaters = [&](unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const unsigned on = 2 + i % 4;
      d.start(on, d.create(1));
      d.checker.thread(ThreadId{on}).stack.push(1, 0);
      for (Address at = first; at <= last; at += 8) d.access(on, at, access::Kind::atomic_write, 11);
      d.end(on);
    }
  };
  updaters(60);
  d.taskwait(1);
  updaters(1);
  for (Address at = first; at <= last; at += 8) {
    d.read(1, at, 31 + at);
    EXPECT_TRUE(d.races().contains(std::pair<Address, Address>(11, 31 + at))) << at;
  }
}

TEST_F(Crowd, KeepsNothingOfMemoryThatHasEnded) {
  readers(1, 60, 11);
  d.checker.on(MemoryEnd{ThreadId{1}, first, words * 8, MemoryKind::mapping, 0});
  for (Address at = first; at <= last; at += 8) d.write(1, at, 31);
  readers(1, 12, 21);
  d.taskwait(1);
  for (Address at = first; at <= last; at += 8) d.write(1, at, 32);
  EXPECT_EQ(d.races(), Pairs{});
}

} // namespace
} // namespace fletcher::test
