// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A race in a hot place: reported once, it costs what an access without a race does, and hides nothing else.
#include "checker/access/reported_pairs.hpp"
#include "checker/constructs/locks/atomic_order.hpp"
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, flag = 0x3000;
using Pairs = Driver::Pairs;
using constructs::MemoryOrder;

class RepeatedRaces : public testing::Test {
protected:
  RepeatedRaces() : team(d.fork(1, 4)) {}
  /// Many rounds in which threads 1 and 2 write x, and thread 3 reads it.
  void race() {
    for (int round = 0; round < 1000; ++round) d.write(1, x, 11), d.read(3, x, 31), d.write(2, x, 21);
  }
  access::ThreadState& thread(unsigned t) { return d.checker.thread(ThreadId{t}); }
  void flush(unsigned t) { thread(t).atomics->fence(thread(t), MemoryOrder::acq_rel); }

  Driver d;
  TeamId team;
};

TEST_F(RepeatedRaces, AreNotReportedByTheThousand) {
  race();
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {11, 31}, {21, 31}}));
  EXPECT_LE(d.recorder.repeated, 6);
}

TEST_F(RepeatedRaces, OtherPlacesAreReported) {
  race();
  d.write(4, x, 41);
  EXPECT_TRUE(d.races().contains({21, 41}));
  EXPECT_TRUE(d.races().contains({11, 41}));
}

TEST_F(RepeatedRaces, LaterOnesOfOrderedPlacesAreNone) {
  race();
  d.barrier(team);
  d.write(4, x, 41);
  d.barrier(team);
  d.write(1, x, 11);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {11, 31}, {21, 31}}));
}

TEST_F(RepeatedRaces, AWriterIsMetAfterThem) {
  for (const Address at : {x, y}) {
    for (int round = 0; round < 10; ++round) d.write(1, at, 11), d.read(2, at, 21);
    d.write(3, at, 31 + at);
    EXPECT_TRUE(d.races().contains({21, 31 + at})) << at;
  }
}

TEST_F(RepeatedRaces, UnderOneLockTheSamePlacesDoNotHideEachOther) {
  race();
  for (const unsigned t : {1, 2}) {
    d.lock(t, 0x9000);
    d.write(t, y, t * 10 + 1);
    d.unlock(t, 0x9000);
  }
  d.write(4, y, 41);
  EXPECT_TRUE(d.races().contains({11, 41}));
  EXPECT_TRUE(d.races().contains({21, 41}));
}

TEST_F(RepeatedRaces, OfEightPairsOfCallersAreReported) {
  for (Address caller = 101; caller <= 120; ++caller) {
    for (const unsigned t : {1, 2}) thread(t).stack.push(caller, 0);
    const Address at = x + 8 * caller;
    for (int round = 0; round < 10; ++round) d.write(1, at, 11), d.write(2, at, 21);
    for (const unsigned t : {1, 2}) thread(t).stack.pop();
  }
  EXPECT_EQ(d.count(Rule::data_race), 8);
  EXPECT_LE(d.recorder.repeated, 2 * 20);
}

TEST_F(RepeatedRaces, BetweenTeamsTheyAreReportedAgain) {
  const TeamId league = d.fork(1, 2, 5, true);
  d.write(1, x, 11), d.write(5, x, 21);
  d.join(league, SyncKind::barrier_teams);
  EXPECT_EQ(d.count(Rule::data_race), 1);
  d.write(1, y, 11), d.write(2, y, 21);
  EXPECT_EQ(d.count(Rule::data_race), 2);
}

TEST_F(RepeatedRaces, WhoWaitsForAFlagReadsItInOneStrand) {
  thread(1).stack.push(1, 0);
  d.read(1, flag, 11);
  d.write(2, flag, 21);
  d.read(1, flag, 11);
  flush(1);
  const std::uint32_t strands = thread(1).strands;
  for (int turn = 0; turn < 1000; ++turn) {
    d.read(1, flag, 11);
    flush(1);
  }
  EXPECT_LE(thread(1).strands, strands + 1);
  d.write(3, flag, 31);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {11, 31}, {21, 31}}));
}

TEST_F(RepeatedRaces, AReadAfterTheFlushIsNotToldWithIt) {
  thread(1).stack.push(1, 0);
  d.read(1, x, 11);
  flush(1);
  d.read(1, x, 11);
  d.access(1, y, access::Kind::atomic_write, 12);
  thread(1).atomics->store(thread(1), y, MemoryOrder::relaxed, [] {});
  d.access(2, y, access::Kind::atomic_read, 22);
  thread(2).atomics->after_load(thread(2), y, MemoryOrder::acquire);
  d.write(2, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

TEST_F(RepeatedRaces, WhatARelaxedLoadMeetsWhileItWaitsIsLearned) {
  d.write(2, x, 21);
  flush(2);
  d.access(2, flag, access::Kind::atomic_write, 22);
  thread(2).atomics->store(thread(2), flag, MemoryOrder::relaxed, [] {});
  d.read(1, y, 11);
  flush(1);
  flush(1);
  thread(1).atomics->after_load(thread(1), flag, MemoryOrder::relaxed);
  thread(1).atomics->fence(thread(1), MemoryOrder::release);
  flush(1);
  d.read(1, x, 12);
  EXPECT_EQ(d.races(), Pairs{});
}

// Tasks read a variable for which others race: threads keep the last such read of theirs, and whoever writes meets it.
class ReadersOfARacingVariable : public RepeatedRaces {
protected:
  ReadersOfARacingVariable() { d.run(4, d.create(4), x, access::Kind::write, 11); }
  /// How many of these tasks of thread 1's changed the variable's cells.
  int readers(int count) {
    int recorded = 0;
    for (int i = 0; i < count; ++i) {
      const unsigned on = 2 + static_cast<unsigned>(i) % 2;
      const std::uint64_t before = *access::first_cell(thread(on), x);
      d.start(on, d.create(1));
      thread(on).stack.push(1, 0);
      d.read(on, x, 21);
      d.end(on);
      recorded += *access::first_cell(thread(on), x) != before ? 1 : 0;
    }
    return recorded;
  }
  /// All but the last one come before what thread 1 does next, the write does not.
  void all_but_one_waited_for() {
    readers(60);
    EXPECT_LE(readers(60), 10);
    d.taskwait(1);
    readers(1);
  }
};

TEST_F(ReadersOfARacingVariable, AreKept) {
  all_but_one_waited_for();
  d.write(1, x, 12);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}, {11, 21}, {12, 21}}));
}

TEST_F(ReadersOfARacingVariable, AreMetInASectionOfALock) {
  all_but_one_waited_for();
  d.lock(1, 0x9000);
  d.write(1, x, 12);
  d.unlock(1, 0x9000);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}, {11, 21}, {12, 21}}));
}

TEST_F(ReadersOfARacingVariable, AreMetByAWriteOfARange) {
  all_but_one_waited_for();
  access::check_range(thread(1), x - 64, 128, access::Kind::write, 12);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}, {11, 21}, {12, 21}}));
}

TEST(ReportedPairs, AreFoundByTheirSites) {
  access::ReportedPairs pairs;
  EXPECT_TRUE(pairs.empty());
  EXPECT_FALSE(pairs.has(ContextId{1}, ContextId{2}));
  pairs.add(ContextId{1}, ContextId{2});
  EXPECT_FALSE(pairs.empty());
  EXPECT_TRUE(pairs.has(ContextId{2}, ContextId{1}));
  EXPECT_FALSE(pairs.has(ContextId{1}, ContextId{1}));
  EXPECT_FALSE(pairs.has(Address{1}, Address{2}));
  pairs.add(Address{7}, Address{7});
  EXPECT_TRUE(pairs.has(Address{7}, Address{7}));
}

} // namespace
} // namespace fletcher::test
