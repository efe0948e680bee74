// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames as llvm-symbolizer tells them, without a base: each variable has its own name or none.
#include "reports/symbols/frame_layout.hpp"

#include <gtest/gtest.h>

namespace fletcher::reports {
namespace {

constexpr Address frame_pointer = 0x7fff'0000;

FrameAnswer variable(const char* name, std::int64_t offset, std::uint64_t size) {
  return {name, "f.c", 1, offset, size};
}

std::string name_at(const FrameLayout& layout, std::int64_t offset) {
  const auto found = layout.at(frame_pointer, frame_pointer + static_cast<Address>(offset));
  return found ? found->told.name : "";
}

TEST(FrameLayout, EachCompilerHasItsBase) {
  const std::vector<FrameAnswer> variables{variable("a", -40, 8), variable("b", -32, 16)};
  const FrameLayout gcc{variables, false};
  EXPECT_EQ(name_at(gcc, -24), "a");
  EXPECT_EQ(name_at(gcc, -16), "b");
  EXPECT_EQ(gcc.at(frame_pointer, frame_pointer - 12)->start, frame_pointer - 16);
  EXPECT_EQ(name_at(gcc, -32), "");
  const FrameLayout clang{{variable("a", -40, 8), variable("b", -16, 16)}, true}; // "b" ends at the frame pointer
  EXPECT_EQ(name_at(clang, -40), "a");
  EXPECT_EQ(name_at(clang, -24), "");
  EXPECT_EQ(name_at(clang, -4), "b");
}

TEST(FrameLayout, WhereTheBaseIsNotCertainNothingIsSaid) {
  // Optimised code has a variable at -44 of which no offset is reported: it is not the end of its neighbour.
  const FrameLayout layout{{variable("table", -4144, 4096)}, true};
  EXPECT_EQ(name_at(layout, -44), "");
  EXPECT_EQ(name_at(layout, -4140), "table"); // gcc's would begin 16 bytes further up
  EXPECT_EQ(name_at(layout, -2000), "table"); // by either base
}

TEST(FrameLayout, BlocksThatShareMemoryHaveNoName) {
  const FrameLayout layout{{variable("first", -48, 16), variable("second", -48, 16)}, false};
  EXPECT_EQ(name_at(layout, -32), "");
}

} // namespace
} // namespace fletcher::reports
