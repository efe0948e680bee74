// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions before and after a fork, of programs that may run on libgomp.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

struct Regions : Driver {
  explicit Regions(bool by_gcc = true) { gomp = by_gcc; }
  void region(unsigned size) { join(fork(1, size)); }
  void fork_process() { checker.on(Forked{ThreadId{1}}); }
  std::ptrdiff_t told() const { return count(Rule::fork_after_region); }
};

TEST(ForkAfterRegion, ARegionOnBothSidesIsTold) {
  Regions d;
  d.region(2);
  d.region(2);
  EXPECT_EQ(d.told(), 0);
  d.fork_process();
  d.region(2);
  ASSERT_EQ(d.told(), 1);
  const Finding& finding = d.recorder.findings[0];
  EXPECT_EQ(finding.severity, Severity::warning);
  ASSERT_EQ(finding.steps.size(), 2U);
  EXPECT_EQ(finding.steps[0].place(), 0x9003U);
  EXPECT_EQ(finding.steps[1].place(), 0x9002U);
  d.region(2); // by now libgomp would wait already
  EXPECT_EQ(d.told(), 1);
}

TEST(ForkAfterRegion, AGrandchildIsAChild) {
  Regions d;
  d.region(2);
  d.fork_process();
  d.fork_process();
  d.region(2);
  EXPECT_EQ(d.told(), 1);
}

TEST(ForkAfterRegion, OnlyOneSideIsNone) {
  Regions before, after;
  before.region(2);
  before.fork_process();
  EXPECT_EQ(before.told(), 0);
  after.fork_process();
  after.region(2);
  EXPECT_EQ(after.told(), 0);
}

TEST(ForkAfterRegion, RegionsOfOneThreadNeedNoThreads) {
  Regions d;
  d.region(1);
  d.fork_process();
  d.region(2);
  d.fork_process();
  d.region(1);
  EXPECT_EQ(d.told(), 0);
}

TEST(ForkAfterRegion, ThreadsThatWereReleasedAreNotWaitedFor) {
  Regions d;
  d.region(2);
  d.checker.on(ThreadsReleased{ThreadId{1}});
  d.fork_process();
  d.region(2);
  EXPECT_EQ(d.told(), 0);
}

TEST(ForkAfterRegion, CodeForLlvmsRuntimeRunsOnItEverywhere) {
  Regions d;
  d.region(2);
  d.fork_process();
  d.gomp = false;
  d.region(2);
  EXPECT_EQ(d.told(), 0);
  Regions e(false);
  e.region(2);
  e.fork_process();
  e.gomp = true;
  e.region(2);
  EXPECT_EQ(e.told(), 0);
}

} // namespace
} // namespace fletcher::test
