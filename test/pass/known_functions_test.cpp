// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that call functions of which it is known that they only calculate have their accesses checked as ranges.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::UnorderedElementsAre;

TEST(KnownFunction, ThatCalculatesLetsALoopBeARange) {
  for (const char* body : {"a[i] = erf(b[i]);", "a[i] = lround(b[i]);", "a[i] = hypot(b[i], 2) + log1p(b[i]);"}) {
    const auto loop = compile("#include <math.h>\nvoid f(double* restrict a, const double* restrict b, int n) {\n"
                              "for (int i = 0; i < n; i++) " +
                              std::string(body) + " }");
    EXPECT_THAT(loop.checks, UnorderedElementsAre("read_range", "write_range")) << body << loop.code;
  }
  const auto complex =
      compile("#include <complex.h>\nvoid f(double complex* restrict a, double complex* restrict b, int n) {\n"
              "for (int i = 0; i < n; i++) a[i] = b[i] * b[i] + csqrt(b[i]); }");
  EXPECT_THAT(complex.checks, UnorderedElementsAre("read_range", "write_range")) << complex.code;
}

TEST(KnownFunction, LeavesSharedPointersInRegisters) {
  const auto loop = compile("#include <math.h>\nvoid f(double* a, const double* b, int n) {\n#pragma omp parallel for\n"
                            "for (int i = 0; i < n; i++) a[i] = erf(b[i]); }",
                            "-fopenmp");
  EXPECT_THAT(loop.checks, IsSupersetOf({"read_range", "write_range"})) << loop.code;
}

// What errno was before must not be taken for what it is afterwards.
TEST(KnownFunction, MaySetErrno) {
  const Workshop shop;
  shop.write("error.c", R"(
#include <errno.h>
#include <math.h>
#include <stdio.h>
int main(int count, char** arguments) {
  (void)arguments;
  errno = 0;
  const double value = log((double)-count);
  printf("%d %d\n", errno == EDOM, value != value);
}
)");
  const Outcome built = shop.run(driver() + " -g -O2 -fopenmp error.c -o error -lm");
  ASSERT_EQ(built.status, 0) << built.errors;
  EXPECT_EQ(shop.run("./error").output, "1 1\n");
}

TEST(KnownFunction, OfTheRuntimeLeavesBoundsInRegisters) {
  const auto loop = compile("void f(int* restrict h, const int* restrict d, int n) {\n#pragma omp parallel for\n"
                            "for (int i = 0; i < n; i++) h[d[i] & 255]++; }",
                            "-fopenmp");
  EXPECT_THAT(loop.checks, Contains("read_range")) << loop.code;
}

TEST(KnownFunction, OfTheSameNameThatTheProgramDefinesIsNone) {
  const auto loop =
      compile("void barrier(void);\n__attribute__((noinline)) double erf(double x) { barrier(); return x; }\n"
              "void f(double* a, int n) { for (int i = 0; i < n; i++) a[i] = erf(a[i]); }",
              "-fno-builtin");
  EXPECT_THAT(loop.checks, ElementsAre("read8", "write8")) << loop.code;
}

} // namespace
} // namespace fletcher::test
