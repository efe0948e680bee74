// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worksharing constructs, masked, scope, teams, and the data clauses that need a barrier: none of them orders anything
// by itself. (Chunks, sections and singles as units of work: work_units_test.cpp.)
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000;
using Pairs = Driver::Pairs;

class Worksharing : public testing::TestWithParam<WorkKind> {
protected:
  /// Each of two members writes its element in the construct, and reads the other's after it.
  Pairs races(bool barrier) {
    Driver d;
    const TeamId team = d.fork(1, 2);
    for (const unsigned t : {1u, 2u}) {
      d.work(t, GetParam(), true);
      d.write(t, x + 8 * t, 10 + t);
      d.work(t, GetParam(), false);
    }
    if (barrier) d.barrier(team);
    d.read(1, x + 16, 21);
    d.read(2, x + 8, 22);
    d.join(team);
    return d.races();
  }
};

TEST_P(Worksharing, ItsBarrierOrders) { EXPECT_EQ(races(true), Pairs{}); }
TEST_P(Worksharing, WithNowaitItDoesNot) { EXPECT_EQ(races(false), (Pairs{{12, 21}, {11, 22}})); }

INSTANTIATE_TEST_SUITE_P(Kinds, Worksharing,
                         testing::Values(WorkKind::loop_static, WorkKind::loop_dynamic, WorkKind::loop_guided,
                                         WorkKind::loop_other, WorkKind::sections, WorkKind::workshare, WorkKind::scope,
                                         WorkKind::distribute),
                         [](const auto& tested) { return "kind_" + std::to_string(static_cast<int>(tested.param)); });

TEST(Masked, HasNoBarrier) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  Listener& listener = d.checker;
  listener.on(Masked{ThreadId{1}, d.current[1], team, true, 0x5000});
  d.write(1, x, 11);
  listener.on(Masked{ThreadId{1}, d.current[1], team, false, 0x5000});
  d.read(2, x, 12);
  d.barrier(team);
  d.read(2, x, 13);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

/// copyin: everybody copies from the first thread's variable, which must not be changed before all have; copyprivate:
/// the one who executes the single keeps its variable until all have read it. The runtime's barriers do both.
TEST(DataClauses, TheRuntimesOwnBarriersOrder) {
  for (const bool barrier : {true, false}) {
    Driver d;
    const TeamId team = d.fork(1, 3);
    d.write(1, x, 11);
    const auto internal = [&] {
      for (const unsigned t : {1u, 2u, 3u}) d.sync(t, SyncKind::barrier_internal, true);
      for (const unsigned t : {1u, 2u, 3u}) d.sync(t, SyncKind::barrier_internal, false);
    };
    internal();
    d.read(2, x, 12);
    d.read(3, x, 13);
    if (barrier) internal();
    d.write(1, x, 14);
    d.join(team);
    EXPECT_EQ(d.races(), barrier ? Pairs{} : (Pairs{{12, 14}, {13, 14}}));
  }
}

/// A thread's own static storage is no other thread's, and belongs to the thread, not to its tasks.
TEST(DataClauses, TasksOfOneThreadShareItsThreadLocalStorage) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.checker.thread(ThreadId{1}).tls_low = y;
  d.checker.thread(ThreadId{1}).tls_high = y + 64;
  d.run(1, d.create(1), y, access::Kind::write, 11);
  d.run(1, d.create(1), y, access::Kind::write, 12);
  d.run(2, d.create(1), y, access::Kind::write, 13); // by its address
  EXPECT_EQ(d.races(), (Pairs{{11, 13}, {12, 13}}));
  d.join(team);
}

TEST(Reductions, WhatTheRuntimeCombinesIsNobodysAccess) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.write(2, x + 8, 12);
  for (const bool begin : {true, false}) {
    d.checker.on(Reduction{ThreadId{1}, d.current[1], team, begin, 0x5000});
    if (begin) d.read(1, x + 8, 13);
  }
  d.read(1, x + 8, 14);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{12, 14}}));
}

/// A team of one needs no copies: the original is the copy of all tasks that take part, and of nobody else.
TEST(Reductions, AnOriginalMayBeTheCopyOfItsTasks) {
  Driver d;
  const TeamId team = d.fork(1, 1);
  d.checker.on(MemoryBegin{ThreadId{1}, x + 4, 4, MemoryKind::copy});
  Address pc = 11;
  for (const bool takes_part : {true, true, false}) {
    d.start(1, d.create(1));
    if (takes_part) d.checker.asked_for_copy(d.checker.thread(ThreadId{1}));
    d.access(1, x + 4, access::Kind::write, pc++, 4);
    d.access(1, x, access::Kind::write, pc++, 4); // beside it
    d.end(1);
  }
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 15}, {13, 15}, {12, 14}, {12, 16}, {14, 16}}));
}

/// All that was before a wait comes before what follows it: for what is being reduced that is not the end yet.
TEST(Reductions, AWaitInATaskgroupLeavesTheCopiesAlone) {
  for (const bool at_barrier : {false, true}) {
    Driver d;
    const TeamId team = d.fork(1, 1);
    d.sync(1, SyncKind::taskgroup, true);
    d.checker.on(MemoryBegin{ThreadId{1}, x, 8, MemoryKind::copy});
    at_barrier ? d.barrier(team) : d.taskwait(1);
    const auto two_tasks = [&](Address pc) {
      for (const Address of : {pc, pc + 1}) {
        d.start(1, d.create(1));
        d.checker.asked_for_copy(d.checker.thread(ThreadId{1}));
        d.write(1, x, of);
        d.end(1);
      }
    };
    two_tasks(11);
    d.sync(1, SyncKind::taskgroup, false);
    two_tasks(13); // it is reduced no longer
    d.join(team);
    EXPECT_EQ(d.races(), (Pairs{{13, 14}})) << at_barrier;
  }
}

/// A copy of a class that has memory of its own shares that among the tasks of its thread. Blocks that the thread did
/// not allocate are everybody's.
struct OwnAbove0x3000 final : access::MemoryMap {
  bool is_static(Address) const override { return false; }
  bool is_named(Address) const override { return false; }
  bool is_cxx_library(Address) const override { return false; }
  access::MemoryExtent around(Address a, ThreadId) const override { return {a, a + 8, a < 0x3000}; }
};

TEST(Reductions, WhatACopyOwnsIsItsThreads) {
  const OwnAbove0x3000 memory;
  CheckerConfig config = small_config();
  config.memory = &memory;
  Driver d(config);
  constexpr Address others = 0x2000, told = 0x2100, own = 0x3000;
  const TeamId team = d.fork(1, 2);
  d.checker.on(MemoryBegin{ThreadId{1}, told, 8, MemoryKind::copy});
  Address pc = 11;
  for (const unsigned thread : {1u, 1u, 2u}) {
    d.start(thread, d.create(1));
    d.checker.asked_for_copy(d.checker.thread(ThreadId{thread}));
    for (const Address address : {others, told, own}) d.write(thread, address, pc++);
    d.end(thread);
  }
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 14}, {11, 17}, {12, 18}, {13, 19}, {14, 17}, {15, 18}, {16, 19}}));
}

/// The members of `team` gather; thread 1 combines, and does `combination` there.
template <class Combine> void gather(Driver& d, TeamId team, Combine combination) {
  d.barrier(team, SyncKind::gathering);
  d.checker.on(Combination{ThreadId{1}, d.current[1], team, true});
  combination();
  d.checker.on(Combination{ThreadId{1}, d.current[1], team, false});
}

TEST(Reductions, AGatheringIsABarrierOnlyForTheCombination) {
  Driver d;
  const TeamId team = d.fork(1, 3);
  d.write(2, x, 11);
  d.write(2, y, 12);
  gather(d, team, [&] { d.write(1, x, 13); });
  d.write(1, x, 14);
  d.write(3, y, 15);
  d.barrier(team);
  d.write(3, x, 16);
  d.write(1, y, 17);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 14}, {12, 15}, {13, 14}}));
}

TEST(Reductions, WhoCombinedDoesNotComeAfterTheOthersLater) {
  for (const bool learns : {false, true}) {
    Driver d;
    const TeamId team = d.fork(1, 3);
    d.read(2, x, 11);
    d.checker.on(Release{ThreadId{2}, 0x6000});
    gather(d, team, [&] {
      d.write(1, y, 12);
      if (learns) d.checker.on(Acquire{ThreadId{1}, 0x6000});
    });
    d.write(1, x, 13);
    d.join(team);
    EXPECT_EQ(d.races(), learns ? Pairs{} : (Pairs{{11, 13}}));
  }
}

TEST(Reductions, AnyMemberCouldHaveCombined) {
  Driver d;
  const TeamId team = d.fork(1, 3);
  d.write(1, y, 10);
  d.barrier(team);
  d.checker.asked_thread_number(d.checker.thread(ThreadId{1})); // the original is one for all
  d.write(1, x, 11);
  gather(d, team, [&] {
    d.write(1, x, 12);
    d.write(1, y, 13); // before the barrier
  });
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

/// Not even the thread that combined knows that the result is there: another one could have combined.
TEST(Reductions, OnlyABarrierOrdersWhatFollowsWithTheCombination) {
  constexpr Address own = 0x7000;
  Driver d;
  const TeamId team = d.fork(1, 3);
  d.checker.thread(ThreadId{1}).stack_low = own;
  d.checker.thread(ThreadId{1}).stack_high = own + 64;
  d.write(1, y, 10);
  gather(d, team, [&] {
    d.write(1, x, 11);
    d.read(1, own, 12);
  });
  d.checker.asked_thread_number(d.checker.thread(ThreadId{1}));
  d.write(1, y, 13);
  d.write(1, own, 14);
  d.read(1, x, 15);
  d.work(1, WorkKind::loop_static, true);
  d.read(1, x, 16);
  d.work(1, WorkKind::loop_static, false);
  const TaskId task = d.create(1);
  d.barrier(team);
  d.run(1, task, x, access::Kind::read, 17);
  d.read(1, x, 18);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 15}, {11, 16}}));
}

/// Who synchronises with the others by other means comes after their combinations.
TEST(Reductions, WhoLearnedOfTheCombinationComesAfterIt) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  gather(d, team, [&] { d.write(1, x, 11); });
  d.checker.on(Release{ThreadId{1}, 0x6000});
  d.checker.on(Acquire{ThreadId{2}, 0x6000});
  d.checker.on(Release{ThreadId{2}, 0x6008});
  d.checker.on(Acquire{ThreadId{1}, 0x6008});
  d.read(1, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Reductions, CombinationsOfOneTeamExcludeEachOther) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  gather(d, team, [&] { d.write(1, x, 11); });
  gather(d, team, [&] { d.write(1, x, 12); });
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

/// A thread's own copy is its own: what it put there in the loop tells it nothing about who it is.
TEST(Reductions, WhoReadsItsOwnCopyMayHaveFurtherUnits) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.checker.thread(ThreadId{1}).stack_low = y;
  d.checker.thread(ThreadId{1}).stack_high = y + 64;
  d.work(1, WorkKind::loop_static, true);
  d.write(1, y, 11);
  d.work(1, WorkKind::loop_static, false);
  gather(d, team, [&] { d.read(1, y, 12); });
  d.write(1, x, 13);
  d.work(1, WorkKind::single_executor, true);
  d.write(1, x, 14);
  d.work(1, WorkKind::single_executor, false);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{13, 14}}));
}

TEST(Teams, OfALeagueAreConcurrentAndOrderedWithTheirEncounter) {
  Driver d;
  d.write(1, x, 10);
  const TeamId league = d.fork(1, 2, 2, true);
  const TeamId left = d.fork(1, 2, 3), right = d.fork(2, 2, 4);
  d.write(3, x, 11);
  d.write(4, y, 12);
  d.barrier(left); // of one team only
  d.write(1, x, 13);
  d.write(1, y, 14);
  d.join(left);
  d.join(right);
  d.join(league);
  d.write(1, x, 15);
  d.write(1, y, 16);
  EXPECT_EQ(d.races(), (Pairs{{12, 14}}));
}

TEST(Teams, OfOneThreadAreTeamsAllTheSame) {
  Driver d;
  const TeamId outer = d.fork(1, 2);
  const TeamId serialized = d.fork(2, 1);
  d.write(2, x, 11);
  d.run(2, d.create(2), y, access::Kind::write, 12);
  d.write(2, y, 13);
  d.join(serialized);
  d.write(2, y, 14); // after all of the region
  d.write(1, x, 15);
  d.join(outer);
  EXPECT_EQ(d.races(), (Pairs{{12, 13}, {11, 15}}));
}

} // namespace
} // namespace fletcher::test
