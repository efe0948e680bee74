// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/mapping/known_lines.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace fletcher::mapping {
namespace {

constexpr ThreadId thread{3};
constexpr Address line = 0x7000;

TEST(KnownLines, TellsOfTheBytesThatWereFound) {
  const auto known = std::make_unique<KnownLines>();
  EXPECT_FALSE(known->has(thread, line, 8, false));
  known->add(thread, line + 8, 8, false, known->generation());
  EXPECT_TRUE(known->has(thread, line + 8, 8, false));
  EXPECT_TRUE(known->has(thread, line + 12, 4, false));
  EXPECT_FALSE(known->has(thread, line + 8, 8, true)) << "it was read only";
  EXPECT_FALSE(known->has(thread, line + 4, 8, false)) << "half of it was not";
  EXPECT_FALSE(known->has(thread, line + 64 + 8, 8, false)) << "another line";
  known->add(thread, line + 16, 8, true, known->generation());
  EXPECT_TRUE(known->has(thread, line + 16, 8, true));
  EXPECT_TRUE(known->has(thread, line + 8, 16, false)) << "what is written may be read";
}

TEST(KnownLines, ForgetsWhenTheHostDoesSomething) {
  const auto known = std::make_unique<KnownLines>();
  const std::uint32_t before = known->generation();
  known->add(thread, line, 64, true, before);
  ASSERT_TRUE(known->has(thread, line, 64, true));
  known->forget();
  EXPECT_FALSE(known->has(thread, line, 64, true));
  known->add(thread, line, 8, true, before);
  EXPECT_FALSE(known->has(thread, line, 8, true)) << "it was looked at before";
  known->add(thread, line, 8, true, known->generation());
  EXPECT_TRUE(known->has(thread, line, 8, true));
  EXPECT_FALSE(known->has(thread, line, 16, true));
}

TEST(KnownLines, StretchesWithinAPage) {
  const auto known = std::make_unique<KnownLines>();
  known->add_stretch(thread, line, line - 8192, line + 100, false, known->generation());
  EXPECT_TRUE(known->has(thread, line, 100, false));
  EXPECT_TRUE(known->has(thread, line + 60, 8, false));
  EXPECT_FALSE(known->has(thread, line + 96, 8, false)) << "it ends before";
  EXPECT_FALSE(known->has(thread, line - 8, 8, false)) << "another page";
  EXPECT_FALSE(known->has(thread, line, 8, true));
  known->add_stretch(thread, line, line, line + 4096, true, known->generation());
  EXPECT_TRUE(known->has(thread, line, 8, true));
  known->forget();
  EXPECT_FALSE(known->has(thread, line, 8, false));
}

TEST(KnownLines, ARangeOverSeveralLinesIsAlwaysAskedFor) {
  const auto known = std::make_unique<KnownLines>();
  known->add(thread, line + 60, 8, false, known->generation());
  EXPECT_FALSE(known->has(thread, line + 60, 8, false));
  EXPECT_FALSE(known->has(thread, line, 0, false));
}

} // namespace
} // namespace fletcher::mapping
