// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dependences between the iterations of a loop for vectors become findings of the task that executed it.
#include "checker/rules/lane_race.hpp"
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

const LaneDependence a_sum{0x1000, 8, 1, 11, 12, true, false};

TEST(LaneRace, IsToldOnceForItsPlaces) {
  Driver d;
  d.fork(1, 2);
  access::ThreadState& thread = d.checker.thread(ThreadId{2});
  d.checker.met(thread, a_sum);
  d.checker.met(thread, a_sum);
  EXPECT_EQ(d.races(), (Driver::Pairs{{11, 12}}));
  ASSERT_EQ(d.recorder.findings.size(), 1u);
  const Finding& finding = d.recorder.findings.front();
  EXPECT_EQ(finding.rule, Rule::data_race);
  EXPECT_EQ(finding.cause, Cause::simd_lanes);
  EXPECT_EQ(finding.distance, 1u);
  ASSERT_EQ(finding.accesses.size(), 2u);
  EXPECT_EQ(finding.accesses[0].type, AccessType::read); // the later one
  EXPECT_EQ(finding.accesses[1].type, AccessType::write);
  EXPECT_EQ(finding.accesses[1].tasks.front().kind, TaskKind::implicit);
}

TEST(LaneRace, NeedsNoRegion) {
  Driver d;
  d.checker.met(d.checker.thread(ThreadId{1}), a_sum);
  EXPECT_EQ(d.races().size(), 1u);
}

} // namespace
} // namespace fletcher::test
