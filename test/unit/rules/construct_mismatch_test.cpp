// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of a team that meet different constructs, and go on all the same.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

class ConstructMismatch : public ::testing::Test {
protected:
  void begin(unsigned thread, SyncKind kind, Address pc, TeamId team) {
    d.checker.on(SyncBegin{ThreadId{thread}, d.current[thread], team, kind, pc, 0});
  }
  void end(unsigned thread, SyncKind kind, Address pc, TeamId team) {
    d.checker.on(SyncEnd{ThreadId{thread}, d.current[thread], team, kind, pc});
  }
  /// Members 1 and 2 meet a barrier, each at its place.
  void barriers(TeamId team, Address first, Address second, SyncKind kind = SyncKind::barrier_explicit) {
    begin(1, kind, first, team), begin(2, kind, second, team);
    end(1, kind, first, team), end(2, kind, second, team);
  }
  void loop(unsigned thread, Address pc, WorkKind kind = WorkKind::loop_static) {
    d.work(thread, kind, true, pc);
    d.work(thread, kind, false, pc);
  }
  std::ptrdiff_t found() const { return d.count(Rule::barrier_mismatch); }
  Driver d;
};

TEST_F(ConstructMismatch, TheSameConstructsAreFine) {
  const TeamId team = d.fork(1, 2);
  for (unsigned i = 0; i < 100; ++i)
    for (unsigned thread : {1u, 2u}) loop(thread, 0x5000 + i);
  barriers(team, 0x7000, 0x7000);
  loop(1, 0x5001), loop(2, 0x5001);
  d.join(team);
  EXPECT_EQ(found(), 0);
}

TEST_F(ConstructMismatch, ALoopThatAMemberLeavesOut) {
  const TeamId team = d.fork(1, 2);
  loop(2, 0x5000);
  d.join(team);
  ASSERT_EQ(found(), 1);
  const Finding& f = d.recorder.findings.front();
  EXPECT_FALSE(f.if_lines_differ);
  EXPECT_EQ(f.steps[0].stack.front(), 0x5000u);
  EXPECT_EQ(f.steps[0].tasks.front().thread_number, 1u);
  EXPECT_EQ(f.steps[1].tasks.front().thread_number, 0u);
  EXPECT_EQ(f.steps[1].message, "{task} reaches the end of the region instead");
}

TEST_F(ConstructMismatch, ATaskMeetsNone) {
  const TeamId team = d.fork(1, 1);
  const TaskId task = d.create(1);
  d.start(1, task);
  loop(1, 0x5000);
  loop(1, 0x5000);
  EXPECT_EQ(found(), 1) << "each place once";
  loop(1, 0x5001, WorkKind::taskloop);
  EXPECT_EQ(found(), 1) << "that one is anybody's";
  d.sync(1, SyncKind::barrier_explicit, true), d.sync(1, SyncKind::barrier_explicit, false);
  EXPECT_EQ(found(), 2);
  d.end(1);
  loop(1, 0x5002);
  EXPECT_EQ(found(), 2);
  d.join(team);
}

TEST_F(ConstructMismatch, ALoopBeforeTheBarrierOfOne) {
  const TeamId team = d.fork(1, 2);
  loop(1, 0x5000);
  barriers(team, 0x7000, 0x7000);
  loop(2, 0x5000);
  d.join(team);
  EXPECT_EQ(found(), 1);
}

TEST_F(ConstructMismatch, SingleAgainstLoop) {
  const TeamId team = d.fork(1, 2);
  loop(1, 0x5000, WorkKind::single_executor), loop(2, 0x5000, WorkKind::single_other);
  EXPECT_EQ(found(), 0) << "one construct";
  loop(1, 0x5001, WorkKind::single_executor), loop(2, 0x5002);
  EXPECT_EQ(found(), 1);
  loop(1, 0x5003), loop(2, 0x5004, WorkKind::sections);
  d.join(team);
  EXPECT_EQ(found() + d.recorder.repeated, 1) << "the first difference says it";
}

TEST_F(ConstructMismatch, TwoPlacesMayBeOneConstruct) {
  const TeamId team = d.fork(1, 2);
  barriers(team, 0x7000, 0x7001);
  ASSERT_EQ(found(), 1);
  EXPECT_TRUE(d.recorder.findings.front().if_lines_differ);
}

TEST_F(ConstructMismatch, APlaceThatIsNotKnownSaysNothing) {
  const TeamId team = d.fork(1, 2);
  barriers(team, 0x7000, 0);
  loop(1, 0), loop(2, 0x5000);
  d.join(team);
  EXPECT_EQ(found(), 0);
}

TEST_F(ConstructMismatch, EachMembersOwnScheduleDecidesTheKindOfALoop) {
  d.fork(1, 2);
  loop(1, 0x5000, WorkKind::loop_dynamic), loop(2, 0x5000, WorkKind::loop_guided);
  EXPECT_EQ(found(), 0);
}

TEST_F(ConstructMismatch, WhatTheRuntimeNeedsForItselfDoesNotCount) {
  const TeamId team = d.fork(1, 2);
  loop(1, 0x5000);
  barriers(team, 0x7000, 0x7001, SyncKind::barrier_internal);
  loop(2, 0x5000);
  d.join(team);
  EXPECT_EQ(found(), 0);
}

TEST_F(ConstructMismatch, OldRuntimesTakeTheEndOfARegionForThatOfAConstruct) {
  const TeamId team = d.fork(1, 2);
  begin(1, SyncKind::barrier_workshare, 0x7000, team);
  begin(2, SyncKind::barrier_parallel, 0, team);
  EXPECT_EQ(found(), 0);
}

TEST_F(ConstructMismatch, CancelledTeamsLeaveConstructsOut) {
  const TeamId team = d.fork(1, 2);
  d.checker.on(Cancel{ThreadId{1}, d.current[1], CancelKind::parallel, true});
  loop(2, 0x5000);
  d.join(team);
  EXPECT_EQ(found(), 0);
}

TEST_F(ConstructMismatch, LeaguesAndTeamsOfOne) {
  const TeamId league = d.fork(1, 2, 2, true);
  loop(1, 0x5000, WorkKind::distribute);
  const TeamId team = d.fork(1, 1);
  loop(1, 0x5001);
  d.join(team);
  loop(1, 0x5002);
  d.join(league);
  EXPECT_EQ(found(), 0);
}

TEST_F(ConstructMismatch, AMemberFarBehindIsNotCompared) {
  d.fork(1, 2);
  for (unsigned i = 0; i < 200; ++i) loop(1, 0x5000 + i);
  for (unsigned i = 0; i < 100; ++i) loop(2, 0x5000 + i);
  EXPECT_EQ(found(), 0);
  for (unsigned i = 100; i < 199; ++i) loop(2, 0x5000 + i);
  EXPECT_EQ(found(), 0);
  loop(2, 0x5000, WorkKind::sections);
  EXPECT_EQ(found(), 1);
}

TEST_F(ConstructMismatch, NestedTeamsEachHaveASequence) {
  const TeamId outer = d.fork(1, 2);
  const TeamId inner = d.fork(1, 2, 3);
  loop(1, 0x5000), loop(3, 0x5000);
  d.join(inner);
  loop(1, 0x5001), loop(2, 0x5001);
  d.join(outer);
  EXPECT_EQ(found(), 0);
}

} // namespace
} // namespace fletcher::test
