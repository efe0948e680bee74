// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks beyond those that prediction follows: what one tells that a single task has let go of is worked out when
// another task takes it.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, lock = 0x3000, other = 0x3008, many = 0x100000;
using Pairs = Driver::Pairs;

/// Four members, of which the third has had more locks than the log of prediction has room for.
struct LoneLocks : testing::Test {
  LoneLocks() : team(d.fork(1, 4)) {
    constexpr Address locks = 40'000;
    for (Address i = 0; i < locks; ++i) section(3, many + i * 8);
  }
  void section(unsigned thread, Address l) {
    d.lock(thread, l);
    d.unlock(thread, l);
  }
  Driver d;
  TeamId team;
};

TEST_F(LoneLocks, AreHandedOver) {
  d.write(1, x, 11);
  section(1, lock);
  section(2, lock);
  d.read(2, x, 12);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(LoneLocks, AreHandedOverAfterMoreSections) {
  section(1, lock);
  d.write(1, x, 11);
  section(1, lock);
  d.lock(2, lock);
  d.read(2, x, 12);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(LoneLocks, PassOnWhatTheirHolderLearned) {
  d.write(1, x, 11);
  section(1, lock);
  section(2, lock);
  section(2, other);
  section(4, other);
  d.read(4, x, 12);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(LoneLocks, TellNothingOfWhatCameAfterTheirRelease) {
  section(1, lock);
  d.write(1, x, 11);
  section(2, lock);
  d.read(2, x, 12);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST_F(LoneLocks, TellNothingOfWhatTheirHolderLearnedLater) {
  d.write(1, x, 11);
  section(2, other);
  section(1, lock);
  section(2, lock);
  section(4, other);
  d.read(4, x, 12);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST_F(LoneLocks, OfOthersTellNothing) {
  d.write(1, x, 11);
  section(1, lock);
  section(2, many + 39'999 * 8);
  d.read(2, x, 12);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST_F(LoneLocks, TellNothingOnceTheyAreDestroyed) {
  d.write(1, x, 11);
  section(1, lock);
  d.life(1, lock, MutexStep::destroy);
  section(2, lock);
  d.read(2, x, 12);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

/// A signal: who unsets it is not who has set it.
TEST_F(LoneLocks, AreToldOfByWhoUnsetsThemForAnother) {
  d.write(1, x, 11);
  section(1, lock);
  d.write(2, x + 8, 13);
  d.unlock(2, lock);
  d.lock(4, lock);
  d.read(4, x, 12);
  d.read(4, x + 8, 14);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(LoneLocks, ExcludeAsOthersDo) {
  for (const unsigned thread : {1u, 2u, 4u}) {
    d.lock(thread, lock);
    d.write(thread, x, 10 + thread);
    d.unlock(thread, lock);
  }
  EXPECT_EQ(d.races(), Pairs{});
}

} // namespace
} // namespace fletcher::test
