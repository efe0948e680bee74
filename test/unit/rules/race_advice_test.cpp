// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a data race's finding says of its cause and of the change that removes it.

#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fletcher::test {
namespace {

constexpr Address x = 0x40000;

const Finding& only_race(const Driver& d) {
  EXPECT_EQ(d.recorder.findings.size(), 1U);
  return d.recorder.findings.at(0);
}

TEST(RaceAdvice, WhoSkipsASingleConstructIsAsFarAsWhoExecutesIt) {
  Driver d;
  d.fork(1, 2);
  for (const bool begin : {true, false}) d.work(1, WorkKind::single_executor, begin);
  for (const bool begin : {true, false}) d.work(2, WorkKind::single_other, begin);
  for (const unsigned thread : {1, 2}) {
    d.work(thread, WorkKind::loop_static, true);
    d.write(thread, x, 10 + thread);
    d.work(thread, WorkKind::loop_static, false);
  }
  EXPECT_EQ(only_race(d).cause, Cause::missing_mutual_exclusion);
}

// LLVM's runtime divides the iterations of a large taskloop by tasks of its own, in the name of the one with the
// construct.
TEST(RaceAdvice, ChunksOfADividedTaskloopAreCreatedAtTheConstruct) {
  Driver d;
  d.fork(1, 2);
  const TaskId divides = d.create(1, {}, {.taskloop = true});
  d.start(2, divides);
  const TaskId chunk{1000};
  d.checker.on(TaskCreate{ThreadId{2}, d.current[1], chunk, TaskKind::explicit_, {}, 0x9999});
  d.end(2);
  d.run(2, chunk, x, access::Kind::write, 11);
  d.write(1, x, 12);
  const Finding& race = only_race(d);
  const auto by_chunk =
      std::ranges::find_if(race.accesses, [&](const auto& one) { return one.tasks.front().id == chunk; });
  ASSERT_NE(by_chunk, race.accesses.end());
  EXPECT_EQ(by_chunk->tasks.front().creation.front(), 0x8000 + number(divides));
}

// What an undeferred task does it does in a strand of its creator's, but it is its own.
TEST(RaceAdvice, AnUndeferredTaskIsNamedForWhatItDoes) {
  const auto race_of = [](bool by_later) {
    Driver d;
    d.fork(1, 2);
    const TaskId other = d.create(1);
    if (!by_later) d.run(2, other, x, access::Kind::write, 11);
    d.write(1, x + 64, 12); // opens a strand
    const TaskId undeferred = d.create(1, {}, {.undeferred = true});
    const StrandId before = d.checker.thread(ThreadId{1}).strand();
    d.start(1, undeferred);
    EXPECT_EQ(d.checker.thread(ThreadId{1}).strand(), before);
    d.write(1, x, 13);
    d.end(1);
    EXPECT_EQ(d.checker.thread(ThreadId{1}).strand(), before);
    if (by_later) d.run(2, other, x, access::Kind::write, 11);
    const Finding& race = only_race(d);
    const auto by_undeferred =
        std::ranges::find_if(race.accesses, [](const auto& one) { return one.stack.front() == 13; });
    EXPECT_EQ(by_undeferred->tasks.front().creation.front(), 0x8000 + number(undeferred));
    EXPECT_EQ(by_undeferred->tasks[1].kind, TaskKind::implicit);
    return race.cause;
  };
  EXPECT_EQ(race_of(true), Cause::missing_dependence);
  EXPECT_EQ(race_of(false), Cause::missing_dependence);
}

TEST(RaceAdvice, WorkOfDifferentConstructsLacksABarrier) {
  Driver d;
  d.fork(1, 2);
  for (const bool begin : {true, false}) d.work(2, WorkKind::single_other, begin);
  d.work(1, WorkKind::single_executor, true);
  d.write(1, x, 11);
  d.work(1, WorkKind::single_executor, false);
  d.work(2, WorkKind::loop_static, true);
  d.write(2, x, 12);
  EXPECT_EQ(only_race(d).cause, Cause::missing_barrier);
}

TEST(RaceAdvice, WhatTheMaskedThreadDoesLacksABarrier) {
  Driver d;
  d.fork(1, 2);
  const auto masked = [&](bool begin) { d.checker.on(Masked{ThreadId{1}, d.current[1], TeamId::none, begin, 0x5000}); };
  masked(true);
  d.write(1, x, 11);
  masked(false);
  d.write(1, x + 8, 12);
  d.read(2, x, 13);
  EXPECT_EQ(only_race(d).cause, Cause::missing_barrier);
  d.write(2, x + 8, 12); // neither is in it
  ASSERT_EQ(d.recorder.findings.size(), 2U);
  EXPECT_EQ(d.recorder.findings[1].cause, Cause::missing_mutual_exclusion);
}

TEST(RaceAdvice, AnAtomicAccessOfAnEarlierConstructLacksABarrierToo) {
  Driver d;
  d.fork(1, 2);
  for (const unsigned thread : {1, 2}) d.work(thread, WorkKind::loop_static, true);
  d.access(1, x, access::Kind::atomic_write, 11);
  for (const unsigned thread : {1, 2}) d.work(thread, WorkKind::loop_static, false);
  d.read(2, x, 12);
  EXPECT_EQ(only_race(d).cause, Cause::missing_barrier);
}

/// Which has no depend clause.
TEST(RaceAdvice, BeforeATaskloopATaskHasToBeWaitedFor) {
  Driver d;
  d.fork(1, 2);
  d.run(1, d.create(1, {{x, DependenceType::out}}), x, access::Kind::write, 11);
  const TaskId of_loop = d.create(1, {}, {.taskloop = true});
  d.run(1, of_loop, x, access::Kind::read, 12);
  const Finding& race = only_race(d);
  EXPECT_EQ(race.cause, Cause::missing_taskwait);
  EXPECT_EQ(race.fix, "taskwait");
  EXPECT_EQ(race.fix_place, race.accesses.front().tasks.front().creation);
}

TEST(RaceAdvice, NothingButAtomicsHelpsBetweenTeamsOfALeague) {
  Driver d;
  d.fork(1, 2, 2, true);
  d.fork(2, 1); // which the runtime does in an initial task; of no construct
  for (const bool begin : {true, false}) d.work(2, WorkKind::single_executor, begin);
  d.lock(1, 0x5000);
  d.write(1, x, 11);
  d.unlock(1, 0x5000);
  d.lock(2, 0x6000);
  d.write(2, x, 12);
  d.unlock(2, 0x6000);
  const Finding& f = only_race(d);
  EXPECT_EQ(f.cause, Cause::missing_mutual_exclusion); // neither another lock nor a barrier
  for (const AccessDescription& access : f.accesses)
    EXPECT_TRUE(access.tasks.front().of_league || access.tasks[1].of_league);
}

/// Which of the two is met first is the schedule's accident.
TEST(RaceAdvice, RacesOfOneLineWithinATeamAndBetweenTeamsAreToldBoth) {
  Driver d;
  d.fork(1, 2, 2, true);
  d.fork(1, 2, 3);
  d.fork(2, 2, 4);
  for (const unsigned thread : {1, 3, 2, 4}) d.write(thread, x, 11);
  ASSERT_EQ(d.recorder.findings.size(), 2U);
  EXPECT_NE(d.recorder.findings[0].fix, d.recorder.findings[1].fix);
}

TEST(RaceAdvice, AnAtomicAccessLacksAnotherOneInWhateverTeam) {
  Driver d;
  d.fork(1, 2, 2, true);
  d.write(1, x, 11);
  d.access(2, x, access::Kind::atomic_write, 12);
  EXPECT_EQ(only_race(d).cause, Cause::not_atomic);
}

/// Two sibling tasks write, the second one under a lock.
void locked_and_not(Driver& d, std::initializer_list<Dependence> second = {}) {
  constexpr Address lock = 0x5000;
  d.fork(1, 2);
  d.run(1, d.create(1), x, access::Kind::write, 11);
  d.start(1, d.create(1, second));
  d.lock(1, lock);
  d.write(1, x, 12);
  d.unlock(1, lock);
  d.end(1);
}

TEST(RaceAdvice, WhoTakesNoLockShouldWhereTheOtherDoes) {
  Driver d;
  locked_and_not(d);
  EXPECT_EQ(only_race(d).cause, Cause::one_side_locked);
  EXPECT_EQ(only_race(d).fix_place, Stack{11});
}

TEST(RaceAdvice, WhereATaskDeclaresTheMemoryTheOtherShouldToo) {
  Driver d;
  locked_and_not(d, {{x, DependenceType::inout}});
  EXPECT_EQ(only_race(d).cause, Cause::missing_dependence);
}

/// Clauses name where items begin. With items of four bytes the second task's names another one than it reads.
TEST(RaceAdvice, WhatADependClauseNamesEndsWhereAnotherOneBegins) {
  for (const bool neighbours : {true, false}) {
    Driver d;
    d.fork(1, 2);
    const auto run = [&](Dependence declared, access::Kind kind, Address pc) {
      d.start(1, d.create(1, {declared}));
      d.access(1, x + 4, kind, pc, 4);
      d.end(1);
    };
    run({neighbours ? x + 4 : x, DependenceType::in}, access::Kind::write, 11);
    run({x, DependenceType::in}, access::Kind::read, 12);
    EXPECT_EQ(only_race(d).cause, neighbours ? Cause::missing_dependence : Cause::wrong_dependence_type);
  }
}

/// A task of the running one that creates a child which writes.
void family(Driver& d, Address pc) {
  const TaskId parent = d.create(1);
  d.start(1, parent);
  d.run(1, d.create(1), x, access::Kind::write, pc);
  d.end(1);
}

TEST(RaceAdvice, BetweenCousinsTheirGrandparentHasToWaitForDescendants) {
  Driver d;
  d.fork(1, 2);
  family(d, 11);
  family(d, 12);
  const Finding& race = only_race(d);
  EXPECT_EQ(race.cause, Cause::missing_taskwait);
  EXPECT_EQ(race.fix, "taskgroup");
  EXPECT_EQ(race.fix_place, race.accesses.front().tasks.at(1).creation); // where the second family begins
}

TEST(RaceAdvice, ChildrenOfAnUntiedTaskAreSiblingsWhicheverThreadsItCreatedThemOn) {
  for (const unsigned goes_on_with : {1U, 2U}) {
    Driver d;
    d.fork(1, 2);
    const TaskId parent = d.create(1, {}, {.untied = true});
    d.start(1, parent);
    d.run(1, d.create(1), x, access::Kind::write, 11);
    if (goes_on_with != 1) d.start(goes_on_with, parent);
    d.run(goes_on_with, d.create(goes_on_with), x, access::Kind::write, 12);
    EXPECT_EQ(only_race(d).cause, Cause::missing_dependence);
  }
}

TEST(RaceAdvice, ATaskwaitIsEnoughWhereTheFirstTaskIsTheChild) {
  Driver d;
  d.fork(1, 2);
  d.run(1, d.create(1), x, access::Kind::write, 11);
  family(d, 12);
  EXPECT_EQ(only_race(d).fix, "taskwait");
}

TEST(RaceAdvice, ATaskAndAnotherMemberOfTheTeamLackABarrier) {
  Driver d;
  d.fork(1, 2);
  d.run(1, d.create(1), x, access::Kind::write, 11);
  d.write(2, x, 12);
  EXPECT_EQ(only_race(d).cause, Cause::missing_barrier);
}

/// Of tasks that one member created for two worksharing constructs, and of such a task and a member behind it. With
/// more threads another member would have created one of them.
TEST(RaceAdvice, TasksOfTwoConstructsLackABarrier) {
  Driver d;
  d.fork(1, 2);
  const auto create_in_loop = [&] {
    d.work(1, WorkKind::loop_static, true, 0x5100);
    const TaskId created = d.create(1);
    d.work(1, WorkKind::loop_static, false, 0x5100);
    return created;
  };
  const TaskId first = create_in_loop(), second = create_in_loop();
  d.run(1, first, x, access::Kind::write, 0x11);
  d.run(1, second, x, access::Kind::write, 0x12);
  EXPECT_EQ(only_race(d).cause, Cause::missing_barrier);
  EXPECT_EQ(only_race(d).fix_place.front(), 0x5100U);
  d.read(1, x, 0x13); // races with both
  ASSERT_EQ(d.recorder.findings.size(), 3U);
  for (const Finding& f : d.recorder.findings) EXPECT_EQ(f.cause, Cause::missing_barrier);
}

TEST(RaceAdvice, TasksOfTwoMembersLackMutualExclusion) {
  Driver d;
  d.fork(1, 2);
  for (const unsigned thread : {1, 2}) d.run(thread, d.create(thread), x, access::Kind::write, 10 + thread);
  EXPECT_EQ(only_race(d).cause, Cause::missing_mutual_exclusion);
}

} // namespace
} // namespace fletcher::test
