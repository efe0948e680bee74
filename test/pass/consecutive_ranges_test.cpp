// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that lie end to end are checked together.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace fletcher::test {
namespace {

constexpr const char* matrix_vector =
    "void f(const int* row, const int* column, const double* value, const double* x,\n"
    "double* restrict y, int n) {\n"
    "for (int i = 0; i < n; i++) {\n"
    "double sum = 0;\n"
    "for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]];\n"
    "y[i] = sum; } }";

/// Checks that say what was put together.
int joined(const Compiled& compiled) {
  int number = 0;
  for (std::string::size_type at = 0; (at = compiled.code.find("!fletcher.joined", at)) != std::string::npos; ++at)
    ++number;
  return number;
}

TEST(ConsecutiveRanges, AreToldTogether) {
  for (const char* flags : {"-O1", "-O2", "-O3", "-Os"}) {
    const auto code = compile(matrix_vector, flags);
    EXPECT_EQ(joined(code), 4) << flags
                               << code.code; // value and column: in the loop, where they go on elsewhere, and after it
  }
}

TEST(ConsecutiveRanges, KeepTheLineOfTheAccess) {
  const auto code = compile(matrix_vector, "-O2");
  std::smatch place;
  ASSERT_TRUE(std::regex_search(code.code, place, std::regex(R"(!dbg !([0-9]+), !fletcher.joined)"))) << code.code;
  const std::regex location("!" + place[1].str() + R"( = !DILocation\(line: 5,)");
  EXPECT_TRUE(std::regex_search(code.code, location)) << code.code;
}

TEST(ConsecutiveRanges, StayWhereEachRowMaySynchronise) {
  const auto code = compile("void g(void); double f(const int* row, const double* value, int n) { double sum = 0;\n"
                            "for (int i = 0; i < n; i++) {\n"
                            "for (int k = row[i]; k < row[i + 1]; k++) sum += value[k];\n"
                            "g(); }\n"
                            "return sum; }",
                            "-O2");
  EXPECT_EQ(joined(code), 0) << code.code;
}

TEST(ConsecutiveRanges, AreNoneWhereTheLengthIsKnown) {
  const auto code = compile("double f(const int* at, const double* value, int n) { double sum = 0;\n"
                            "for (int i = 0; i < n; i++)\n"
                            "for (int k = 0; k < 100; k++) sum += value[at[i] + k];\n"
                            "return sum; }",
                            "-O2");
  EXPECT_EQ(joined(code), 0) << code.code;
}

} // namespace
} // namespace fletcher::test
