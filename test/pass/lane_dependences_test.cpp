// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dependences between the iterations of a loop for vectors are reported, and which are none or are kept by lanes
// that execute each statement together.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

/// How far apart the iterations of the dependence are; "" where none is reported.
std::string distance(const std::string& source) {
  const auto compiled = compile(source, "-fopenmp");
  for (const std::string& check : compiled.checks)
    if (check.starts_with("lane_earlier ")) return check.substr(check.find(' ') + 1);
  return "";
}

/// Of the statement in a loop over i.
std::string distance_in(const std::string& statement, const std::string& clauses = "") {
  return distance("double g; int pick(int);\n"
                  "void f(double* a, double* b, int n, int k, double** rows, unsigned u) {\n"
                  "#pragma omp simd " +
                  clauses + "\nfor (int i = 8; i < n; i++) {" + statement + "}}");
}

TEST(LaneDependences, WhatComesFirstAndStandsBehindIsTold) {
  EXPECT_EQ(distance_in("a[i] = a[i - 1];"), "1");
  EXPECT_EQ(distance_in("a[i + 4] = a[i - 2];"), "6");
  EXPECT_EQ(distance_in("a[2 * i] = a[2 * i - 6];"), "3");
  EXPECT_EQ(distance_in("a[i] = 0; b[i] = a[i + 1];"), "1");
  EXPECT_EQ(distance_in("a[i] = 0; a[i + 2] = 1;"), "2");
  EXPECT_EQ(distance_in("g += a[i];"), "1");
  EXPECT_EQ(distance_in("*b += a[i];"), "1");
  EXPECT_EQ(distance_in("rows[3][i] = rows[3][i - 1];"), "1");
  EXPECT_EQ(distance("double f(int n) {\ndouble a[40] = {1};\n#pragma omp simd\n"
                     "for (int i = 1; i < 40; i++) a[i] = a[i - 1];\nreturn a[n]; }"),
            "1");
}

TEST(LaneDependences, WhatLanesKeepIsNotTold) {
  EXPECT_EQ(distance_in("a[i] = a[i + 1];"), "");           // read by an earlier iteration, and by an earlier statement
  EXPECT_EQ(distance_in("a[i] = 0; b[i] = a[i - 1];"), ""); // written so
  EXPECT_EQ(distance_in("a[i + 2] = 1; a[i] = 0;"), "");    // the later iteration's comes later
  EXPECT_EQ(distance_in("a[i] += b[i];"), "");              // of one iteration
  EXPECT_EQ(distance_in("a[2 * i] = a[2 * i - 1];"), "");   // odd and even
  EXPECT_EQ(distance_in("g = a[i];"), "");
}

TEST(LaneDependences, WhatIsNotCertainIsNotTold) {
  EXPECT_EQ(distance_in("a[i] = b[i - 1];"), "");
  EXPECT_EQ(distance_in("a[i] = a[i - k];"), "");
  EXPECT_EQ(distance_in("if (b[i] > 0) a[i] = a[i - 1];"), "");
  EXPECT_EQ(distance_in("a[i] = a[pick(i)];"), "");
  EXPECT_EQ(distance_in("rows[i][i] = rows[i][i - 1];"), "");
  EXPECT_EQ(distance_in("a[i] = a[i - 4];", "safelen(4)"), "");
  EXPECT_EQ(distance_in("a[i] = a[i - 4];", "simdlen(4)"), "");
  EXPECT_EQ(distance_in("a[i] = a[i - 3];", "simdlen(4)"), "3");
  EXPECT_EQ(distance_in("g += a[i];", "reduction(+ : g)"), "");
  EXPECT_EQ(distance_in("double own[20]; for (int j = 1; j < 20; j++) own[j] = own[j - 1] + i; a[i] = own[19];"), "");
}

TEST(LaneDependences, LoopsThatAreNotForVectorsAreLeftAlone) {
  for (const char* clauses : {"", "schedule(dynamic, 8)", "schedule(guided)", "ordered(1) schedule(dynamic)"})
    EXPECT_EQ(distance("void f(double* a, int n) {\n#pragma omp for " + std::string(clauses) +
                       "\nfor (int i = 1; i < n; i++) a[i] = a[i - 1]; }"),
              "")
        << clauses;
  EXPECT_EQ(distance("void f(double* a, int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; }"), "");
  EXPECT_EQ(
      distance("void f(double* a, int n) {\n#pragma omp parallel for\nfor (int i = 1; i < n; i++) a[i] = a[i - 1]; }"),
      "");
}

TEST(LaneDependences, LoopsOfThreadsAndVectorsAreLookedAt) {
  for (const char* construct :
       {"parallel for simd", "parallel for simd schedule(dynamic)", "parallel for simd schedule(static, 16)"})
    EXPECT_EQ(distance("void f(double* a, int n) {\n#pragma omp " + std::string(construct) +
                       "\nfor (int i = 1; i < n; i++) a[i] = a[i - 1]; }"),
              "1")
        << construct;
}

TEST(LaneDependences, WithoutOptimisationNoneIsLookedFor) {
  const auto compiled = compile(
      "void f(double* a, int n) {\n#pragma omp simd\nfor (int i = 1; i < n; i++) a[i] = a[i - 1]; }", "-fopenmp -O0");
  EXPECT_THAT(compiled.checks, Not(Contains(StartsWith("lane"))));
}

} // namespace
} // namespace fletcher::test
