// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that divide their counter by the length of a row: which become loops over rows, whose accesses are ranges, and
// that they compute what they did.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

TEST(Rows, OfCollapsedLoopsAreRanges) {
  for (const char* level : {"-O1", "-O2", "-O3"}) {
    const auto pointers = compile("void f(int n, int m, double** a) {\n"
                                  "#pragma omp parallel for collapse(2)\n"
                                  "for (int i = 1; i < n; i++)\nfor (int j = 1; j < m - 1; j++)\n"
                                  "a[i][j] = i + j; }",
                                  std::string("-fopenmp ") + level);
    EXPECT_THAT(pointers.checks, Contains("write_range")) << level << pointers.code;
    const auto table = compile("void f(int n, double (*a)[512]) {\n"
                               "#pragma omp parallel for collapse(2)\n"
                               "for (int i = 1; i < n; i++)\nfor (int j = 0; j < 512; j++)\n"
                               "a[i][j] = i + j; }",
                               std::string("-fopenmp ") + level);
    EXPECT_THAT(table.checks, Contains("write_range")) << level << table.code;
    const auto three = compile("void f(int n, int m, int k, double* restrict a, double* restrict b) {\n"
                               "#pragma omp parallel for collapse(3)\n"
                               "for (int i = 0; i < n; i++)\nfor (int j = 0; j < m; j++)\nfor (int l = 0; l < k; l++)\n"
                               "a[(i * m + j) * k + l] = b[(j * n + i) * k + l]; }",
                               std::string("-fopenmp ") + level);
    EXPECT_THAT(three.checks, IsSupersetOf({"write_range", "read_range"})) << level << three.code;
  }
}

TEST(Rows, OfLoopsThatDivideByThemselvesAreRanges) {
  const auto loop = compile("void f(double** a, unsigned long n, unsigned long m) {\n"
                            "for (unsigned long x = 0; x < n; x++) a[x / m][x % m] = 1; }");
  EXPECT_THAT(loop.checks, Contains("write_range")) << loop.code;
}

TEST(Rows, AreNotMadeWhereNoAccessNeedsThem) {
  const auto value = compile("void f(long* a, long n, long m) { for (long x = 0; x < n; x++) a[x] = x / m; }");
  EXPECT_THAT(value.checks, ElementsAre("write_range")) << value.code;
  const auto tiny = compile("void f(int* a, unsigned n) { for (unsigned x = 0; x < n; x++) a[x % 3] = 1; }");
  EXPECT_THAT(tiny.checks, Not(Contains("write_range"))) << tiny.code;
}

TEST(Rows, ComputeTheSame) {
  const Workshop shop;
  shop.write("rows.c", R"(
#include <stdio.h>
static int a[200000];
static void two(int n, int m) {
#pragma omp parallel for collapse(2)
  for (int i = 1; i < n; i++) for (int j = 2; j < m; j++) a[i * m + j] += i * 3 + j;
}
static void three(int n, int m, int k) {
#pragma omp parallel for collapse(3) schedule(static, 5)
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (long l = 1; l < k; l++) a[(i * m + j) * k + l] += i - j * l;
}
static void fixed(int n) {
#pragma omp parallel for collapse(2) schedule(dynamic, 7)
  for (int i = 0; i < n; i++) for (int j = 0; j < 64; j++) a[i * 64 + j] -= i ^ j;
}
static int sum(int n, int m) {
  int s = 0;
#pragma omp parallel for collapse(2) reduction(+ : s)
  for (short i = 0; i < n; i++) for (unsigned char j = 0; j < m; j += 3) s += a[j * n + i] * (i + 1);
  return s;
}
static void below_zero(long low, long high, long d) {
  for (long x = low; x < high; x++) a[x / d * d + x % d + 3000] += x / d + 7 * (x % d);
}
static void narrow(int low, int high, int d) { for (int x = low; x < high; x++) a[x % d + 500] += x / d; }
static void wrapped(unsigned low, unsigned high, unsigned d) { for (unsigned x = low; x != high; x++) a[x % d] += x / d; }
int main(void) {
  const int sizes[] = {1, 2, 7, 31, 40};
  unsigned long sums = 0;
  for (int i = 0; i < 5; i++) for (int k = 0; k < 5; k++) {
    const int n = sizes[i], m = sizes[k], d = sizes[(i + k) % 5];
    two(n, m), fixed(n), below_zero(-n * 5, m * 17, d), below_zero(-n, m * 17, -d), narrow(-300, n * 30, d * 3);
    narrow(-300, n * 30, -d * 3), wrapped(4294967290u - n, m + 4294967290u, d), wrapped(5, 5 + n * 40, m);
    for (int l = 0; l < 5; l++) three(n, m, sizes[l]);
    sums = sums * 31 + sum(n, m);
    for (int x = 0; x < 200000; x += 7) sums = sums * 31 + a[x];
  }
  printf("%lu\n", sums);
}
)");
  ASSERT_EQ(shop.run("clang-19 -O1 -fopenmp rows.c -o plain").status, 0);
  const std::string expected = shop.run("./plain").output;
  ASSERT_FALSE(expected.empty());
  for (const std::string level : {"-O1", "-O2 -march=x86-64-v3", "-O3"}) {
    const Outcome built = shop.run(driver() + " -g " + level + " -fopenmp rows.c -o checked");
    ASSERT_EQ(built.status, 0) << built.errors;
    EXPECT_EQ(shop.run("OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive ./checked").output, expected) << level;
  }
}

} // namespace
} // namespace fletcher::test
