// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams of one inside of other teams: their member is a part of the encountering task until it does what makes a
// difference.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, l = 0x3000;
using Pairs = Driver::Pairs;

StrandId strand(Driver& d) { return d.checker.thread(ThreadId{1}).strand(); }

/// A region of one thread in which thread 1 executes a loop.
template <class Body> void inner_loop(Driver& d, Body body) {
  const TeamId inner = d.fork(1, 1);
  d.work(1, WorkKind::loop_dynamic, true);
  d.chunk(1);
  body();
  d.chunk(1);
  d.work(1, WorkKind::loop_dynamic, false);
  d.barrier(inner);
  d.join(inner);
}

TEST(LoneTeams, GoOnInTheStrandOfTheEncounteringTask) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.read(1, x, 11);
  const StrandId before = strand(d);
  inner_loop(d, [&] {
    d.read(1, x, 12);
    inner_loop(d, [&] { EXPECT_EQ(strand(d), before); });
  });
  EXPECT_EQ(strand(d), before);
  d.write(2, x, 13);
  d.join(team);
  EXPECT_EQ(d.races().size(), 1u);
}

TEST(LoneTeams, InAUnitOfWorkTheyArePartOfIt) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.work(1, WorkKind::loop_dynamic, true);
  d.chunk(1);
  inner_loop(d, [&] { d.write(1, x, 11); });
  d.chunk(1);
  inner_loop(d, [&] { d.read(1, x, 12); });
  d.work(1, WorkKind::loop_dynamic, false);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST(LoneTeams, AreSetApartWhereTheyCreateTasks) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  const TeamId inner = d.fork(1, 1);
  const TeamId innermost = d.fork(1, 1);
  d.write(1, x, 12);
  const TaskId made = d.create(1);
  d.write(1, y, 13);
  d.run(1, made, y, access::Kind::write, 14);
  d.barrier(innermost);
  d.write(1, y, 15);
  d.join(innermost);
  d.join(inner);
  d.write(1, x, 16);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{13, 14}}));
}

TEST(LoneTeams, TasksOfThemRaceWithTheOuterTeam) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const TeamId inner = d.fork(1, 1);
  d.run(1, d.create(1), x, access::Kind::write, 11);
  d.join(inner);
  d.write(2, x, 12);
  d.write(1, x, 13); // after the inner region, and so after its task
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}, {12, 13}}));
}

TEST(LoneTeams, TheirLocksAreTheirOwn) {
  Driver d;
  d.life(1, l, MutexStep::init);
  const TeamId team = d.fork(1, 2);
  d.lock(1, l);
  const TeamId inner = d.fork(1, 1);
  d.unlock(1, l);
  d.join(inner);
  d.join(team);
  EXPECT_EQ(d.count(Rule::lock_misuse), 1) << "unset by another task than its owner";
}

TEST(LoneTeams, InALockedSectionTheyAreInIt) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  for (const unsigned thread : {1u, 2u}) {
    d.lock(thread, l);
    const TeamId inner = d.fork(thread, 1);
    d.write(thread, x, 10 + thread);
    d.join(inner);
    d.unlock(thread, l);
  }
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(LoneTeams, ARegionWhoseMemberDoesNotEndIsOverAtItsEnd) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const TaskId outer = d.current[1];
  const TeamId inner = d.fork(1, 1);
  d.checker.on(ParallelEnd{ThreadId{1}, outer, inner, 0});
  d.current[1] = outer;
  d.run(1, d.create(1), x, access::Kind::write, 11);
  d.write(1, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

} // namespace
} // namespace fletcher::test
