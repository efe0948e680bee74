// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ranges a thread need not look at again.
#include "checker/access/ranges/told_ranges.hpp"

#include <gtest/gtest.h>

namespace fletcher::access {
namespace {

constexpr Pieces row{0x1000, 0, 512, 1}, column{0x1000, 64, 8, 64};
constexpr std::uint32_t strand = 7, no_twins = 0;

TEST(ToldRanges, TellWhatTheStrandDid) {
  ToldRanges told;
  EXPECT_FALSE(told.tell(row, Kind::read, strand, no_twins));
  told.remember(row, Kind::read, strand);
  EXPECT_TRUE(told.tell(row, Kind::read, strand, no_twins));
  EXPECT_FALSE(told.tell(row, Kind::write, strand, no_twins)) << "a read is less than a write";
  EXPECT_FALSE(told.tell(column, Kind::read, strand, no_twins)) << "these are other bytes";
  told.remember(row, Kind::write, strand);
  EXPECT_TRUE(told.tell(row, Kind::read, strand, no_twins));
}

TEST(ToldRanges, TellWhatATwinRead) {
  ToldRanges told;
  told.remember(row, Kind::read, strand - 2);
  EXPECT_FALSE(told.tell(row, Kind::read, strand, no_twins));
  EXPECT_FALSE(told.tell(row, Kind::read, strand, 1)) << "it is no twin";
  EXPECT_TRUE(told.tell(row, Kind::read, strand, 2));
  told.remember(row, Kind::write, strand - 2);
  EXPECT_FALSE(told.tell(row, Kind::read, strand, 2)) << "a twin's write is concurrent";
}

TEST(ToldRanges, TellNothingOfALaterLife) {
  ToldRanges told;
  told.remember(row, Kind::write, strand);
  told.forget();
  EXPECT_FALSE(told.tell(row, Kind::write, strand, no_twins));
  told.remember(row, Kind::write, strand);
  EXPECT_TRUE(told.tell(row, Kind::write, strand, no_twins));
}

} // namespace
} // namespace fletcher::access
