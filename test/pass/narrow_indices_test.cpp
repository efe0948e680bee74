// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices of 32 bits that might wrap around: their accesses are ranges, on a condition.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Not;

TEST(NarrowIndex, OfATableOfUnsignedWidthIsARange) {
  const auto loop = compile("void f(double* a, unsigned n, unsigned m) {\n"
                            "for (unsigned i = 0; i < n; i++)\nfor (unsigned j = 0; j < m; j++) a[i * m + j] = 1; }");
  EXPECT_THAT(loop.checks, Each("write_range")) << loop.code;
}

TEST(NarrowIndex, OfAParallelLoopInEitherDirectionIsARange) {
  for (const char* level : {"-O1", "-O2"})
    for (const char* head : {"for (int i = n - 1; i >= 0; i--)", "for (int i = 0; i < n; i += 2)"}) {
      const auto loop =
          compile(std::string("void f(double* a, int n) {\n#pragma omp parallel for\n") + head + " a[i] = i; }",
                  std::string("-fopenmp ") + level);
      EXPECT_THAT(loop.checks, testing::AnyOf(Contains("write_range"), Contains("write_strided"))) << loop.code;
      EXPECT_THAT(loop.checks, Not(Contains("write16"))) << loop.code;
    }
}

TEST(NarrowIndex, ThatWrapsAroundInEarnestIsNone) {
  const auto loop = compile("void f(int* a, unsigned n) { for (unsigned i = 0; i < n; i++) a[(unsigned char)i] = 1; }");
  EXPECT_THAT(loop.checks, ElementsAre("write4")) << loop.code;
}

// Every element that the loop writes is one that another thread reads, wherever the index begins.
TEST(NarrowIndex, IsFoundInARace) {
  const Workshop shop;
  shop.write("index.c", R"(
#include <stdio.h>
static double a[4096];
static void fill(unsigned first, unsigned rows, unsigned width) {
  for (unsigned i = 0; i < rows; i++)
    for (unsigned j = 0; j < width; j++) a[first + i * width + j] = 1;
}
int main(int count, char** arguments) {
  (void)arguments;
  double sum = 0;
#pragma omp parallel sections
  {
#pragma omp section
    fill(4294967295u + count, 8, 512);
#pragma omp section
    sum += a[4000];
  }
  printf("%d\n", sum > 2);
}
)");
  const Outcome built = shop.run(driver() + " -g -O2 -fopenmp index.c -o index");
  ASSERT_EQ(built.status, 0) << built.errors;
  const Outcome run = shop.run("OMP_NUM_THREADS=2 ./index");
  EXPECT_EQ(run.status, 66) << run.errors;
  EXPECT_NE(run.errors.find("index.c:6:"), std::string::npos) << run.errors;
}

} // namespace
} // namespace fletcher::test
