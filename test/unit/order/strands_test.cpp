// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids of strands that follow each other: a thread's own for a while.
#include "checker/order/strands.hpp"

#include <gtest/gtest.h>

namespace fletcher::order {
namespace {

constexpr StrandBlock block{ChainId{1}, RecordId{1}, LocksetId::empty, {}};

TEST(Strands, ReservedIdsAreTheNextOnesAndNobodyElses) {
  StrandTables tables(16);
  StrandTables::Ranges one, other;
  tables.new_block(one, block, StrandId::none);
  const auto [first, end] = tables.reserve_strands(one, 1000);
  ASSERT_GE(number(end) - number(first), 1000U);
  for (StrandId id = first; id < end; id = StrandId{number(id) + StrandTables::strands_per_block}) {
    ASSERT_EQ(tables.new_block(one, block, StrandId::none), id);
    const StrandId others = tables.new_block(other, block, StrandId::none);
    ASSERT_TRUE(others < first || others >= end);
  }
  EXPECT_GE(tables.new_block(one, block, StrandId::none), end);
}

TEST(Strands, WhatIsLeftOfARangeWillDo) {
  StrandTables tables(16);
  StrandTables::Ranges one;
  const auto [first, end] = tables.reserve_strands(one, 1000);
  EXPECT_EQ(tables.reserve_strands(one, 500), std::pair(first, end));
  EXPECT_EQ(tables.reserve_strands(one, 2000), std::pair(first, end));
  for (int i = 0; i < 200; ++i) tables.new_block(one, block, StrandId::none);
  EXPECT_GE(tables.reserve_strands(one, 2000).first, end); // few are left
}

TEST(Strands, UnitsOfSeveralStrandsDoNotLeaveRangesUnused) {
  StrandTables tables;
  StrandTables::Ranges one;
  constexpr unsigned units = 100'000;
  for (unsigned unit = 0; unit < units; ++unit) {
    tables.reserve_strands(one, units - unit);
    for (int i = 0; i < 2; ++i) tables.new_block(one, block, StrandId::none);
  }
  EXPECT_LT(number(tables.next_strand()), 4 * units * StrandTables::strands_per_block);
}

TEST(Strands, NoMoreAreReservedThanThereAre) {
  StrandTables tables(10);
  StrandTables::Ranges one;
  EXPECT_FALSE(tables.used_up());
  const auto [first, end] = tables.reserve_strands(one, 1'000'000);
  EXPECT_LE(number(end), 1024U);
  EXPECT_LE(number(first), number(end));
  const StrandId id = tables.new_block(one, block, StrandId::none);
  EXPECT_NE(id, StrandId::none);
  EXPECT_LT(number(id), 1024U);
}

} // namespace
} // namespace fletcher::order
