// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scanf wrote, by its format and its result.

#include "lib/interpose/text/scan_format.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdarg>
#include <vector>

namespace {

using namespace fletcher::interpose;
using Kind = ScannedPointer::Kind;

struct Found {
  Kind kind;
  const void* address;
  std::size_t size;
  bool operator==(const Found&) const = default;
};
void PrintTo(const Found& found, std::ostream* out) {
  *out << "kind " << static_cast<int>(found.kind) << " at " << found.address << " size " << found.size;
}

std::vector<Found> walked(ScanDialect dialect, int assigned, const char* format, ...) {
  std::vector<Found> found;
  std::va_list arguments;
  va_start(arguments, format);
  const ScannedPointers pointers = scanned_pointers(format, arguments, assigned, dialect);
  va_end(arguments);
  for (const ScannedPointer& pointer : pointers.all()) found.push_back({pointer.kind, pointer.address, pointer.size});
  return found;
}
template <class... Arguments> std::vector<Found> in(int assigned, const char* format, Arguments... arguments) {
  return walked(ScanDialect::c99, assigned, format, arguments...);
}

std::array<char, 8> memory;
void* const a = &memory[0];
void* const b = &memory[1];
void* const c = &memory[2];
constexpr std::size_t all = ~std::size_t{0};

using List = std::vector<Found>;
List values(std::size_t size) { return {{Kind::value, a, size}}; }

TEST(ScanFormat, KnowsSizesOfNumbers) {
  EXPECT_EQ(in(1, "%d", a), values(4));
  EXPECT_EQ(in(1, "%hd", a), values(2));
  EXPECT_EQ(in(1, "%hhx", a), values(1));
  EXPECT_EQ(in(1, "%lu", a), values(8));
  EXPECT_EQ(in(1, "%lli", a), values(8));
  EXPECT_EQ(in(1, "%zo", a), values(8));
  EXPECT_EQ(in(1, "%f", a), values(4));
  EXPECT_EQ(in(1, "%lg", a), values(8));
  EXPECT_EQ(in(1, "%Le", a), values(16));
  EXPECT_EQ(in(1, "%p", a), values(8));
  EXPECT_EQ(in(1, "%5d", a), values(4));
}

TEST(ScanFormat, KnowsTexts) {
  EXPECT_EQ(in(1, "%s", a), (List{{Kind::text, a, all}}));
  EXPECT_EQ(in(1, "%7s", a), (List{{Kind::text, a, 7}}));
  EXPECT_EQ(in(1, "%ls", a), (List{{Kind::wide_text, a, all}}));
  EXPECT_EQ(in(1, "%3S", a), (List{{Kind::wide_text, a, 3}}));
  EXPECT_EQ(in(1, "%c", a), values(1));
  EXPECT_EQ(in(1, "%5c", a), values(5));
  EXPECT_EQ(in(1, "%2lc", a), values(8));
  EXPECT_EQ(in(2, "%[a-z]%d", a, b), (List{{Kind::text, a, all}, {Kind::value, b, 4}}));
  EXPECT_EQ(in(2, "%9[]%d]%d", a, b), (List{{Kind::text, a, 9}, {Kind::value, b, 4}}));
  EXPECT_EQ(in(2, "%[^]%d]%d", a, b), (List{{Kind::text, a, all}, {Kind::value, b, 4}}));
  EXPECT_EQ(in(1, "%[^", a), (List{{Kind::text, a, all}}));
}

TEST(ScanFormat, LeavesOutWhatWasNotAssigned) {
  EXPECT_EQ(in(-1, "%d", a), List{});
  EXPECT_EQ(in(0, "%d", a), List{});
  EXPECT_EQ(in(1, "%d %d", a, b), values(4));
  EXPECT_EQ(in(1, "%*d %*s%%x%d %d", a, b), values(4));
  EXPECT_EQ(in(2, "%d,%hd,%d", a, b, c), (List{{Kind::value, a, 4}, {Kind::value, b, 2}}));
}

TEST(ScanFormat, KnowsAllocatedTexts) {
  EXPECT_EQ(in(1, "%ms", a), values(8));
  EXPECT_EQ(in(1, "%m[a-z]", a), values(8));
  EXPECT_EQ(in(1, "%5mc", a), values(8));
  EXPECT_EQ(walked(ScanDialect::gnu, 1, "%as", a), values(8));
  EXPECT_EQ(walked(ScanDialect::gnu, 1, "%a[x]", a), values(8));
  EXPECT_EQ(walked(ScanDialect::gnu, 1, "%a", a), values(4));
  EXPECT_EQ(in(1, "%as", a), values(4));
}

TEST(ScanFormat, KnowsCountsThatWereReached) {
  EXPECT_EQ(in(1, "%d%n", a, b), (List{{Kind::value, a, 4}, {Kind::value, b, 4}}));
  EXPECT_EQ(in(1, "%d %hhn", a, b), (List{{Kind::value, a, 4}, {Kind::value, b, 1}}));
  EXPECT_EQ(in(1, "%dx%n", a, b), values(4)) << "the x may not have been there";
  EXPECT_EQ(in(1, "%d%*d%n", a, b), values(4));
  EXPECT_EQ(in(2, "%dx%n%d", a, b, c), (List{{Kind::value, a, 4}, {Kind::value, b, 4}, {Kind::value, c, 4}}));
  EXPECT_EQ(in(0, "%n%d", a, b), values(4));
  EXPECT_EQ(in(0, "%d%n", a, b), List{});
  EXPECT_EQ(in(-1, "%n%d", a, b), List{});
}

TEST(ScanFormat, FollowsPositions) {
  EXPECT_EQ(in(2, "%2$d %1$hd", a, b), (List{{Kind::value, b, 4}, {Kind::value, a, 2}}));
  EXPECT_EQ(in(1, "%3$7s", a, b, c), (List{{Kind::text, c, 7}}));
}

TEST(ScanFormat, StopsAtWhatItDoesNotKnow) {
  EXPECT_EQ(in(2, "%d %W %d", a, b, c), values(4));
  EXPECT_EQ(in(2, "%d %", a), values(4));
  EXPECT_EQ(in(2, "%d %5", a), values(4));
}

} // namespace
