// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one thread did in a single or another unit of work, and then in a masked construct: any thread could have done
// the first, only this one the second.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, z = 0x4000, lock_a = 0x3000;
using Pairs = Driver::Pairs;

class MaskedAfter : public testing::Test {
protected:
  void masked(bool begin) {
    static_cast<Listener&>(d.checker).on(Masked{ThreadId{1}, d.current[1], team, begin, 0x5000});
  }
  /// Thread 1 writes to `variable`.
  void in_masked(Address variable, Address pc) {
    masked(true);
    d.write(1, variable, pc);
    masked(false);
  }
  void in_single(Address variable, Address pc) {
    d.work(1, WorkKind::single_executor, true);
    d.write(1, variable, pc);
    d.work(1, WorkKind::single_executor, false);
  }
  Pairs races() {
    d.join(team);
    return d.races();
  }

  Driver d;
  const TeamId team = d.fork(1, 2);
};

TEST_F(MaskedAfter, ASingleIsNotOrderedWithIt) {
  in_single(x, 11);
  in_masked(x, 12);
  EXPECT_EQ(races(), (Pairs{{11, 12}}));
}

TEST_F(MaskedAfter, SoIsADynamicLoop) {
  d.work(1, WorkKind::loop_dynamic, true);
  d.chunk(1), d.write(1, x, 11);
  d.chunk(1), d.write(1, y, 12);
  d.work(1, WorkKind::loop_dynamic, false);
  masked(true);
  d.write(1, x, 13), d.write(1, y, 14);
  masked(false);
  EXPECT_EQ(races(), (Pairs{{11, 13}, {12, 14}}));
}

TEST_F(MaskedAfter, WhatTheThreadItselfDidIsOrdered) {
  d.write(1, x, 11);
  in_masked(x, 12);
  in_single(y, 13);
  d.write(1, x, 14);
  in_masked(x, 15);
  d.write(1, y, 16);
  in_masked(x, 17);
  EXPECT_EQ(races(), Pairs{});
}

TEST_F(MaskedAfter, TwoSinglesWithNothingBetweenAreBothNotOrdered) {
  d.write(1, z, 10);
  in_single(x, 11);
  in_single(y, 12);
  masked(true);
  d.write(1, x, 13), d.write(1, y, 14), d.write(1, z, 15);
  masked(false);
  EXPECT_EQ(races(), (Pairs{{11, 13}, {12, 14}}));
}

TEST_F(MaskedAfter, ABarrierOrders) {
  in_single(x, 11);
  d.barrier(team);
  in_masked(x, 12);
  EXPECT_EQ(races(), Pairs{});
}

TEST_F(MaskedAfter, ANumberLeadsToPlacesAfterItWasDrawnOnly) {
  d.work(1, WorkKind::single_executor, true);
  d.write(1, x, 11);
  d.lock(1, lock_a), d.unlock(1, lock_a);
  d.write(1, y, 12);
  d.work(1, WorkKind::single_executor, false);
  masked(true);
  d.write(1, x, 13), d.write(1, y, 14);
  masked(false);
  EXPECT_EQ(races(), (Pairs{{11, 13}}));
}

TEST_F(MaskedAfter, AThreadThatMayKnowItselfIsJudgedByItsOwnOrder) {
  d.lock(1, lock_a), d.unlock(1, lock_a);
  in_single(x, 11);
  in_masked(x, 12);
  EXPECT_EQ(races(), Pairs{});
}

} // namespace
} // namespace fletcher::test
