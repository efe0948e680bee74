// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One test per row of the semantics (docs/design/semantics.md): what is ordered is silent, what is not is found.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, lock_a = 0x3000, lock_b = 0x3008;
using Pairs = Driver::Pairs;

TEST(Parallel, MembersAreConcurrent) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST(Parallel, SerialPartsAreOrderedAroundRegions) {
  Driver d;
  d.write(1, x, 10);
  TeamId team = d.fork(1, 2);
  d.write(2, x, 11);
  d.join(team);
  d.write(1, x, 12);
  team = d.fork(1, 2);
  d.write(2, x, 13);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Parallel, NestedRegionsAreOrderedWithTheirForkerOnly) {
  Driver d;
  const TeamId outer = d.fork(1, 2);
  d.write(1, x, 11);
  const TeamId inner = d.fork(1, 2, 5);
  d.write(5, x, 12); // after the fork
  d.write(5, y, 13);
  d.join(inner);
  d.write(1, x, 14); // after the join
  d.write(2, y, 15); // the other member of the outer team
  d.join(outer);
  EXPECT_EQ(d.races(), (Pairs{{13, 15}}));
}

TEST(Barrier, OrdersPhases) {
  Driver d;
  const TeamId team = d.fork(1, 3);
  d.write(1, x, 11);
  d.barrier(team);
  d.write(2, x, 12);
  d.barrier(team);
  d.read(1, x, 13);
  d.read(3, x, 14);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Barrier, OfANestedTeamOrdersThatTeamOnly) {
  Driver d;
  const TeamId outer = d.fork(1, 2);
  const TeamId inner = d.fork(1, 2, 5);
  d.write(5, x, 11);
  d.barrier(inner);
  d.write(1, x, 12);
  d.write(2, x, 13);
  d.join(inner);
  d.join(outer);
  EXPECT_EQ(d.races(), (Pairs{{12, 13}}));
}

TEST(Barrier, WaitsForTasksOfTheTeam) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.run(2, d.create(1), x, access::Kind::write, 11);
  d.barrier(team);
  d.write(1, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Tasks, OfOneThreadAreConcurrent) {
  Driver d;
  const TeamId team = d.fork(1, 1);
  d.run(1, d.create(1), x, access::Kind::write, 11);
  d.run(1, d.create(1), x, access::Kind::write, 12);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST(Tasks, AreConcurrentWithTheirCreatorAfterwardsOnly) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 10);
  const TaskId t = d.create(1);
  d.write(1, y, 11);
  d.start(2, t);
  d.write(2, x, 12);
  d.write(2, y, 13);
  d.end(2);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 13}}));
}

TEST(Tasks, OutsideAnyRegionShareTheirOnlyThread) {
  Driver d;
  d.run(1, d.create(1), x, access::Kind::write, 11);
  d.write(1, x, 12);
  d.run(1, d.create(1), x, access::Kind::write, 13);
  const TeamId team = d.fork(1, 2);
  d.write(2, x, 14);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Tasks, UndeferredIsOrdered) {
  Driver d;
  const TeamId team = d.fork(1, 1);
  d.run(1, d.create(1, {}, {.undeferred = true}), x, access::Kind::write, 11);
  d.write(1, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Tasks, UndeferredDoesNotWaitForItsChildren) {
  Driver d;
  const TeamId team = d.fork(1, 1);
  const TaskId t = d.create(1, {}, {.undeferred = true});
  d.start(1, t);
  d.run(1, d.create(1), x, access::Kind::write, 11);
  d.end(1);
  d.write(1, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST(Taskwait, WaitsForChildrenNotGrandchildren) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const TaskId t = d.create(1);
  d.start(2, t);
  d.write(2, x, 11);
  d.run(2, d.create(2), y, access::Kind::write, 12);
  d.end(2);
  d.taskwait(1);
  d.write(1, x, 13);
  d.write(1, y, 14);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{12, 14}}));
}

TEST(Taskgroup, WaitsForAllDescendants) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.run(2, d.create(1), x, access::Kind::write, 10);
  d.sync(1, SyncKind::taskgroup, true);
  const TaskId t = d.create(1);
  d.start(2, t);
  d.run(2, d.create(2), y, access::Kind::write, 12);
  d.end(2);
  d.sync(1, SyncKind::taskgroup, false);
  d.write(1, y, 13);
  d.write(1, x, 14); // the task before the group is not waited for
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{10, 14}}));
}

TEST(Dependences, OrderSiblings) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const TaskId a = d.create(1, {{x, DependenceType::out}}), b = d.create(1, {{x, DependenceType::in}}),
               c = d.create(1, {{x, DependenceType::in}}), e = d.create(1, {{x, DependenceType::inout}});
  d.run(1, a, x, access::Kind::write, 11);
  d.run(2, b, x, access::Kind::read, 12);
  d.run(1, c, x, access::Kind::write, 13); // declared `in`, writes
  d.run(2, e, x, access::Kind::write, 14);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{12, 13}}));
  ASSERT_FALSE(d.recorder.findings.empty());
  EXPECT_EQ(d.recorder.findings.front().cause, Cause::wrong_dependence_type);
}

TEST(Dependences, HoldAlsoWhenThePredecessorHasEnded) {
  Driver d;
  const TeamId team = d.fork(1, 1);
  d.run(1, d.create(1, {{x, DependenceType::out}}), x, access::Kind::write, 11);
  d.run(1, d.create(1, {{x, DependenceType::in}}), x, access::Kind::read, 12);
  d.run(1, d.create(1, {{y, DependenceType::in}}), x, access::Kind::read, 13);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 13}}));
}

TEST(Dependences, MutexinoutsetExcludesWithoutOrder) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const TaskId a = d.create(1, {{x, DependenceType::mutexinoutset}}),
               b = d.create(1, {{x, DependenceType::mutexinoutset}});
  d.start(1, a);
  d.write(1, x, 11);
  d.end(1);
  d.start(2, b);
  d.write(2, x, 12);
  d.end(2);
  d.run(1, d.create(1, {{x, DependenceType::in}}), x, access::Kind::read, 13);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Dependences, InoutsetIsNeitherOrderedNorExclusive) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const TaskId a = d.create(1, {{x, DependenceType::inoutset}}), b = d.create(1, {{x, DependenceType::inoutset}});
  d.run(1, a, x, access::Kind::write, 11);
  d.run(2, b, x, access::Kind::write, 12);
  d.run(1, d.create(1, {{x, DependenceType::in}}), x, access::Kind::read, 13);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST(Dependences, AllMemoryOrdersEverything) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.run(2, d.create(1, {{x, DependenceType::in}}), y, access::Kind::write, 11);
  d.run(1, d.create(1, {{0, DependenceType::inout, true}}), y, access::Kind::write, 12);
  d.run(2, d.create(1, {{y, DependenceType::in}}), y, access::Kind::write, 13);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Dependences, DoNotOrderAcrossParents) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const TaskId a = d.create(1), b = d.create(1);
  d.start(1, a);
  d.run(1, d.create(1, {{x, DependenceType::inout}}), x, access::Kind::write, 11);
  d.end(1);
  d.start(2, b);
  d.run(2, d.create(2, {{x, DependenceType::inout}}), x, access::Kind::write, 12);
  d.end(2);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
  EXPECT_EQ(std::count_if(d.recorder.findings.begin(), d.recorder.findings.end(),
                          [](const Finding& f) { return f.rule == Rule::non_sibling_dependence; }),
            1);
}

TEST(Dependences, TaskwaitDependWaitsForMatchingSiblings) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.run(2, d.create(1, {{x, DependenceType::out}}), x, access::Kind::write, 11);
  d.run(2, d.create(1, {{y, DependenceType::out}}), y, access::Kind::write, 12);
  const Dependence list[] = {{x, DependenceType::in}};
  d.checker.on(TaskwaitDepend{ThreadId{1}, d.current[1], list, false, 0});
  d.read(1, x, 13);
  d.read(1, y, 14);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{12, 14}}));
}

TEST(Detach, EndsWithTheFulfillingStrand) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const TaskId a = d.create(1, {{x, DependenceType::out}});
  d.start(2, a);
  d.write(2, y, 11);
  d.end(2, true);
  d.write(1, x, 12);
  d.checker.on(TaskFulfill{ThreadId{1}, a, false});
  d.write(1, x, 15);
  const TaskId b = d.create(1, {{x, DependenceType::in}});
  d.start(2, b);
  d.read(2, x, 13);
  d.read(2, y, 14);
  d.end(2);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{}); // the creation of b orders 15 too
}

TEST(Locks, CommonLockExcludes) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  for (const unsigned t : {1u, 2u}) {
    d.lock(t, lock_a);
    d.write(t, x, 10 + t);
    d.unlock(t, lock_a);
  }
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Locks, DifferentLocksDoNot) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.lock(1, lock_a);
  d.write(1, x, 11);
  d.unlock(1, lock_a);
  d.lock(2, lock_b);
  d.write(2, x, 12);
  d.unlock(2, lock_b);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
  EXPECT_EQ(d.recorder.findings.at(0).cause, Cause::different_locks);
  EXPECT_EQ(d.recorder.findings.at(0).accesses.at(0).locks.size(), 1u);
}

TEST(Locks, OrderOfSectionsThatNothingIsKnownOfIsKept) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.lock(1, lock_a);
  d.unlock(1, lock_a);
  d.lock(2, lock_a);
  d.unlock(2, lock_a);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Locks, OfOpenMPExcludeWithinAContentionGroupOnly) {
  for (const MutexKind kind : {MutexKind::lock, MutexKind::nest_lock, MutexKind::critical}) {
    Driver d;
    const TeamId league = d.fork(1, 2, 2, true);
    const TeamId left = d.fork(1, 2, 3), right = d.fork(2, 2, 4);
    for (const unsigned t : {1u, 3u}) { // one team
      d.lock(t, lock_a, kind);
      d.write(t, x, 10 + t);
      d.unlock(t, lock_a, kind);
    }
    d.lock(4, lock_a, kind);
    d.write(4, x, 14);
    d.unlock(4, lock_a, kind);
    d.join(left);
    d.join(right);
    d.join(league, SyncKind::barrier_teams);
    EXPECT_EQ(d.races(), (Pairs{{11, 14}, {13, 14}}));
    EXPECT_EQ(d.recorder.findings.at(0).cause, Cause::missing_mutual_exclusion);
  }
}

TEST(Locks, OfPosixAndAtomicsExcludeEverywhere) {
  for (const MutexKind kind : {MutexKind::posix, MutexKind::atomic}) {
    Driver d;
    const TeamId league = d.fork(1, 2, 2, true);
    for (const unsigned t : {1u, 2u}) {
      d.lock(t, lock_a, kind);
      d.write(t, x, 10 + t);
      d.unlock(t, lock_a, kind);
    }
    d.join(league, SyncKind::barrier_teams);
    EXPECT_EQ(d.races(), Pairs{});
  }
}

TEST(Ordered, IsOrder) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.lock(1, y, MutexKind::ordered);
  d.write(1, x, 11);
  d.unlock(1, y, MutexKind::ordered);
  d.lock(2, y, MutexKind::ordered);
  d.write(2, x, 12);
  d.unlock(2, y, MutexKind::ordered);
  d.write(1, x, 13);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{12, 13}}));
}

TEST(Doacross, SourceComesBeforeItsSinks) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const std::uint64_t first[] = {0}, second[] = {1};
  d.write(1, x, 11);
  d.write(1, y, 12);
  d.checker.on(Doacross{ThreadId{1}, d.current[1], team, true, first});
  d.checker.on(Doacross{ThreadId{2}, d.current[2], team, false, first});
  d.write(2, x, 13);
  d.checker.on(Doacross{ThreadId{2}, d.current[2], team, true, second});
  d.write(1, x, 14);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{13, 14}}));
}

TEST(Lifetimes, FreedMemoryForgets) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.checker.on(MemoryEnd{ThreadId{1}, x, 64, MemoryKind::heap, 20});
  d.checker.on(MemoryBegin{ThreadId{2}, x, 60, MemoryKind::heap, 21});
  d.write(2, x, 12); // the block's next owner
  d.write(2, x + 56, 13);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Lifetimes, UsingWhatAnotherFreedIsARace) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.checker.on(MemoryEnd{ThreadId{1}, x, 64, MemoryKind::heap, 20});
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{12, 20}}));
}

TEST(Lifetimes, FreeingWhatAnotherUsesIsARace) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.checker.on(MemoryEnd{ThreadId{2}, x, 64, MemoryKind::heap, 20});
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 20}}));
  EXPECT_EQ(d.recorder.findings.at(0).accesses.at(0).type, AccessType::free);
}

TEST(Lifetimes, TaskThatOutlivesTheFrameItNames) {
  Driver d;
  const TeamId team = d.fork(1, 1);
  d.checker.thread(ThreadId{1}).stack_low = 0x10000;
  d.checker.thread(ThreadId{1}).stack_high = 0x20000;
  d.run(1, d.create(1, {{0x18010, DependenceType::out}}, {}, 0x18000), x, access::Kind::write, 11);
  d.sync(1, SyncKind::taskwait, true, 0x18000); // still in the frame
  d.sync(1, SyncKind::taskwait, false);
  EXPECT_TRUE(d.recorder.findings.empty());
  d.run(1, d.create(1, {{0x18010, DependenceType::out}}, {}, 0x18000), x, access::Kind::write, 12);
  d.sync(1, SyncKind::taskwait, true, 0x19000); // the frame has returned
  d.join(team);
  ASSERT_EQ(d.recorder.findings.size(), 1u);
  EXPECT_EQ(d.recorder.findings[0].rule, Rule::missing_taskwait);
}

TEST(Findings, SamePlacesAreOneFindingWithACount) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.write(2, x, 12);
  d.write(2, x + 8, 12);
  d.write(1, x + 8, 11);
  d.join(team);
  EXPECT_EQ(d.recorder.findings.size(), 1u);
  EXPECT_EQ(d.recorder.repeated, 1);
}

TEST(Accesses, DisjointBytesOfOneGranuleDoNotConflict) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.access(1, x, access::Kind::write, 11, 4);
  d.access(2, x + 4, access::Kind::write, 12, 4);
  d.access(1, x + 16, access::Kind::write, 13, 4);
  d.access(2, x + 18, access::Kind::write, 14, 4); // overlaps by two bytes
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{13, 14}}));
}

TEST(Accesses, ThroughNullPointersAreNoRaces) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  for (const Address a : {Address{0}, Address{40}}) {
    d.write(1, a, 11);
    d.write(2, a, 12);
  }
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Accesses, AtomicsDoNotRaceWithEachOther) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.access(1, x, access::Kind::atomic_write, 11);
  d.access(2, x, access::Kind::atomic_write, 12);
  d.access(1, x, access::Kind::read, 13);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{12, 13}}));
}

TEST(Accesses, ReadersDoNotPushOutAWrite) {
  Driver d;
  const TeamId team = d.fork(1, 8);
  d.access(1, x, access::Kind::write, 11, 1);
  for (unsigned t = 2; t <= 7; ++t) d.access(t, x + 4, access::Kind::read, 10 + t, 4);
  d.access(8, x, access::Kind::write, 20, 1);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 20}}));
}

TEST(Accesses, AllConcurrentReadersOfAGranuleMeetTheWriter) {
  Driver d;
  const TeamId team = d.fork(1, 5);
  for (unsigned t = 1; t <= 4; ++t) d.read(t, x, 10 + t);
  d.write(5, x, 20);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 20}, {12, 20}, {13, 20}, {14, 20}}));
}

/// Also where the program has other threads, so that no horizon passes.
TEST(League, EndsBeforeTheStrandAfterIt) {
  Driver d;
  d.begin_root(9, TaskKind::foreign);
  const TeamId league = d.fork(1, 3, 2, true);
  for (const unsigned thread : {1u, 2u, 3u}) {
    const TeamId inner = d.fork(thread, 1);
    d.access(thread, x, access::Kind::atomic_write, 1);
    d.join(inner);
  }
  d.join(league, SyncKind::barrier_teams);
  d.read(1, x, 2);
  EXPECT_EQ(d.races(), Pairs{});
}

} // namespace
} // namespace fletcher::test
