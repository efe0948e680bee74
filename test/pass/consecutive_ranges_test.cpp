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

/// How often the program calls the check of a range by name.
int calls(const Compiled& compiled, const std::string& name) {
  const std::regex call("call void @" + name);
  return static_cast<int>(
      std::distance(std::sregex_iterator(compiled.code.begin(), compiled.code.end(), call), std::sregex_iterator()));
}

// Two that go towards each other, in a loop of which only the program knows that it ends.
TEST(ConsecutiveRanges, AreToldTogetherWhicheverWayTheyGo) {
  const auto code = compile("int f(int* values, int i, int j, int pivot) {\n"
                            "for (;;) {\n"
                            "do i++; while (values[i] < pivot);\n"
                            "do j--; while (values[j] > pivot);\n"
                            "if (i >= j) return j;\n"
                            "int other = values[i]; values[i] = values[j]; values[j] = other; } }",
                            "-O2");
  EXPECT_EQ(joined(code), 4) << code.code;
  EXPECT_EQ(calls(code, "__tsan_read_range"), 4) << code.code;
}

// What an endless loop accessed before it turned to something else is reported while it runs.
TEST(ConsecutiveRanges, AreToldInAnEndlessLoop) {
  const auto code = compile("void f(const int* list, int* sum) {\n"
                            "for (;;)\n"
                            "for (int i = 0; list[i] != 0; i++) *sum += list[i]; }",
                            "-O2");
  EXPECT_EQ(joined(code), 0) << code.code;
  EXPECT_GE(calls(code, "__tsan_read_range"), 1) << code.code;
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
