// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of different lines to different parts of the same 8 bytes: more of them than a granule has cells.

#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address granule = 0x40000;

class GranuleParts : public testing::TestWithParam<access::Kind> {};

TEST_P(GranuleParts, OfOneStrandAreAllKept) {
  for (Address byte = 0; byte < 8; ++byte) {
    Driver d;
    d.fork(1, 2);
    for (Address part = 0; part < 8; ++part) d.access(1, granule + part, GetParam(), 0x100 + 0x10 * part, 1);
    d.access(2, granule + byte, access::Kind::write, 0x1, 1);
    ASSERT_EQ(d.races().size(), 1U) << "byte " << byte;
    EXPECT_EQ(d.races().begin()->first, 0x1U);
  }
}

TEST_P(GranuleParts, AreJoinedWithTheNearestInTheCode) {
  Driver d;
  d.fork(1, 2);
  for (const Address pc : {0x100, 0x200, 0x300, 0x400}) d.access(1, granule + pc / 0x100, GetParam(), pc, 1);
  d.access(1, granule + 5, GetParam(), 0x308, 1);
  d.access(2, granule + 1, access::Kind::write, 0x1, 1);
  d.access(2, granule + 2, access::Kind::write, 0x2, 1);
  d.access(2, granule + 4, access::Kind::write, 0x4, 1);
  d.access(2, granule + 5, access::Kind::write, 0x5, 1);
  EXPECT_EQ(d.races(), (Driver::Pairs{{0x1, 0x100}, {0x2, 0x200}, {0x4, 0x400}, {0x5, 0x308}}));
}

INSTANTIATE_TEST_SUITE_P(Kinds, GranuleParts, testing::Values(access::Kind::read, access::Kind::write));

} // namespace
} // namespace fletcher::test
