// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is over gives its ids back while the region goes on, and what is not over keeps them (order/sweep.hpp).
#include "test/unit/driver.hpp"

#include "checker/access/thread_state.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, lock = 0x3000, own = 0x8000;

CheckerConfig tiny_ranges() {
  CheckerConfig config = small_config();
  config.ids_at_once = 1;
  return config;
}

/// A team of two whose second member does something and has not come to a barrier: no horizon passes.
class Sweep : public testing::Test {
protected:
  Sweep() : driver(tiny_ranges()), team(driver.fork(1, 2)) { driver.write(2, own, 1); }
  ~Sweep() override { driver.join(team); }

  void sweep() {
    driver.checker.sweep(true);
    driver.checker.sweep(true);
  }
  /// Tasks that access `x` one after the other, created and awaited.
  void groups(int count) {
    for (int i = 0; i < count; ++i) {
      driver.run(1, driver.create(1), x, access::Kind::write, 2);
      driver.taskwait(1);
      sweep();
    }
  }

  Driver driver;
  TeamId team;
};

TEST_F(Sweep, TasksThatWereAwaitedAndOverwrittenLeaveNothing) {
  groups(100);
  const std::uint64_t strands = driver.checker.statistics().strands;
  groups(1000);
  EXPECT_EQ(driver.checker.statistics().strands, strands);
  EXPECT_TRUE(driver.races().empty());
}

TEST_F(Sweep, WhatMayStillRaceIsKept) {
  const TaskId unawaited = driver.create(1);
  driver.run(1, unawaited, y, access::Kind::write, 3);
  const TaskId creating = driver.create(1);
  driver.start(1, creating);
  groups(100);
  driver.write(1, y, 4);
  driver.end(1);
  EXPECT_EQ(driver.races(), (Driver::Pairs{{3, 4}}));
}

// The ids of a loop's units are kept as they are, whoever has them.
TEST_F(Sweep, WhatTasksOfAUnitOfWorkDidIsKept) {
  driver.work(2, WorkKind::loop_dynamic, true);
  driver.chunk(2);
  driver.run(2, driver.create(2), y, access::Kind::write, 3);
  sweep();
  driver.write(1, y, 4);
  driver.work(2, WorkKind::loop_dynamic, false);
  EXPECT_EQ(driver.races(), (Driver::Pairs{{3, 4}}));
}

TEST_F(Sweep, TasksWithIdsOfOthersRaceAsBefore) {
  groups(10);
  Driver::Pairs all;
  for (unsigned i = 0; i < 20; ++i) {
    driver.run(2, driver.create(1), x + Address{8} * i, access::Kind::write, 100 + i);
    driver.write(1, x + Address{8} * i, 200 + i);
    all.insert({100 + i, 200 + i});
    sweep();
  }
  EXPECT_EQ(driver.races(), all);
}

TEST_F(Sweep, ATaskThatGoesOnInAnotherChainComesAfterItself) {
  driver.write(1, y, 9);
  const TaskId child = driver.create(1);
  groups(10); // its later strands have ids of tasks that are over
  driver.write(1, y, 10);
  driver.run(1, child, own + 8, access::Kind::write, 11);
  const TaskId last = driver.create(1);
  driver.run(1, last, y, access::Kind::read, 12);
  EXPECT_TRUE(driver.races().empty());
}

int said = 0;

TEST(WorthSweeping, IsSaidOnceForEachSweep) {
  CheckerConfig config = small_config();
  config.may_be_worth_sweeping = [] { ++said; };
  Driver driver(config);
  const TeamId team = driver.fork(1, 2);
  driver.write(2, own, 1);
  const auto until_worth_it = [&] {
    for (int i = 0; i < 200'000 && !driver.checker.worth_sweeping(); ++i) {
      EXPECT_EQ(said, 0) << i;
      driver.run(1, driver.create(1), x, access::Kind::write, 2);
      driver.taskwait(1);
    }
    EXPECT_TRUE(driver.checker.worth_sweeping());
  };
  said = 0;
  until_worth_it();
  EXPECT_EQ(said, 1);
  for (int i = 0; i < 1000; ++i) driver.run(1, driver.create(1), x, access::Kind::read, 2);
  EXPECT_EQ(said, 1);
  driver.checker.sweep(true);
  driver.checker.sweep(true);
  EXPECT_FALSE(driver.checker.worth_sweeping());
  said = 0;
  until_worth_it();
  EXPECT_EQ(said, 1);
  driver.join(team);
}

// It took a lock, which may have told it a number: all that it does from then on is one unit of work.
TEST_F(Sweep, AThreadThatTakesALockAgainAndAgainInALoopNeedsNoMoreIds) {
  driver.work(1, WorkKind::loop_dynamic, true);
  driver.chunk(1);
  driver.write(1, y, 3);
  const auto sections = [&](int count) {
    for (int i = 0; i < count; ++i) {
      driver.lock(1, lock);
      driver.write(1, x, 4);
      driver.unlock(1, lock);
      if (i % 100 == 0) sweep();
    }
  };
  sections(70000);
  const std::uint64_t strands = driver.checker.statistics().strands;
  driver.write(1, y, 5);
  sections(10000);
  driver.write(1, y, 6);
  EXPECT_LT(driver.checker.statistics().strands, strands + 100);
  driver.chunk(1);
  driver.write(1, y, 7);
  driver.run(2, driver.create(1), y, access::Kind::write, 8);
  driver.write(1, y, 9);
  driver.work(1, WorkKind::loop_dynamic, false);
  EXPECT_EQ(driver.races(), (Driver::Pairs{{8, 9}}));
}

} // namespace
} // namespace fletcher::test
