// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which accesses of loops are checked before the loop, as a range, and which have to stay where they are.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(LoopRange, OfNeighbouringElementsIsOneRange) {
  const auto loop = compile("void f(double* a, int n) { for (int i = 0; i < n; i++) a[i] = 0.5; }", "-fno-builtin");
  EXPECT_THAT(loop.checks, ElementsAre("write_range")) << loop.code;
}

TEST(LoopRange, OfKnownLengthIsExact) {
  const auto up = compile("void f(int* a) { for (int i = 3; i < 103; i++) a[i] = i; }");
  EXPECT_THAT(up.checks, ElementsAre("write_range 400")) << up.code;
  const auto down = compile("void f(int* a) { for (int i = 102; i >= 3; i--) a[i] = i; }");
  EXPECT_THAT(down.checks, ElementsAre("write_range 400")) << down.code;
}

TEST(LoopRange, IsUnderstoodByTheVectoriser) {
  for (const char* flags : {"-O2", "-O3", "-O3 -march=x86-64-v3", "-O2 -fopenmp-simd"}) {
    const auto loop = compile("void f(float* a, const float* b, int n) {\n"
                              "#pragma omp simd\n"
                              "for (int i = 0; i < n; i++) a[i] += b[i]; }",
                              flags);
    EXPECT_THAT(loop.checks, UnorderedElementsAre("read_range", "write_range")) << flags << '\n' << loop.code;
    EXPECT_NE(loop.code.find("x float>"), std::string::npos) << flags << ": not vectorised\n" << loop.code;
  }
}

TEST(LoopRange, OfUpdatesIsTheWriteOnly) {
  const auto loop = compile("void f(int* a, int n) { for (int i = 0; i < n; i++) a[i] += i; }");
  EXPECT_THAT(loop.checks, ElementsAre("write_range")) << loop.code;
}

TEST(LoopRange, OfNeighboursOnOneLineIsOne) {
  const auto loop = compile("void f(double* restrict a, const double* b) {\n"
                            "for (int i = 1; i <= 100; i++) a[i] = b[i - 1] + b[i + 1] + b[i]; }");
  EXPECT_THAT(loop.checks, UnorderedElementsAre("read_range 816", "write_range 800")) << loop.code;
}

TEST(LoopRange, OfNeighboursOnTwoLinesIsTwo) {
  const auto loop = compile("void f(double* restrict a, const double* b) {\n"
                            "for (int i = 0; i < 100; i++) a[i] = b[i]\n + b[i + 1]; }");
  EXPECT_THAT(loop.checks, UnorderedElementsAre("read_range 800", "read_range 800", "write_range 800")) << loop.code;
}

TEST(LoopRange, LeavesOutWhatIsNotAccessed) {
  const auto loop = compile("struct s { double x, y, z, m; };\n"
                            "double f(const struct s* p, int n) { double sum = 0;\n"
                            "for (int i = 0; i < n; i++) sum += p[i].x * p[i].z;\nreturn sum; }",
                            "-O2");
  EXPECT_THAT(loop.checks, ElementsAre("read_strided", "read_strided")) << loop.code;
}

TEST(LoopRange, OfAColumnIsStrided) {
  const auto loop = compile("void f(double* a, long n) { for (long i = 0; i < 64; i++) a[i * n] = 1; }");
  EXPECT_THAT(loop.checks, ElementsAre("write_strided 64")) << loop.code;
}

TEST(LoopRange, MayDependOnAQuotientThatTheProgramHas) {
  const auto before = compile("double f(const double* a, unsigned long n, unsigned long parts) { double sum = 0;\n"
                              "for (int k = 0; k < 64; k++) sum += a[k * (n / parts)];\nreturn sum; }",
                              "-O2");
  EXPECT_THAT(before.checks, ElementsAre("read_strided 64")) << before.code;
  // A division by zero must not be brought forward.
  const auto later = compile("unsigned g(const unsigned* a, const unsigned* b, unsigned n) { unsigned sum = 0;\n"
                             "for (unsigned k = 0; k < 64; k++) { if (b[k]) sum += a[k * (n / b[k])]; }\nreturn sum; }",
                             "-O2");
  EXPECT_THAT(later.checks, testing::Contains("read4")) << later.code;
}

TEST(LoopRange, OfOneAddressIsOneCheck) {
  const auto loop = compile("int x, a[1000];\n"
                            "void f(int* restrict b, int n) { for (int i = 0; i < n; i++) { x = i; b[i * i] = x; } }");
  EXPECT_THAT(loop.checks, UnorderedElementsAre("write4", "write4")) << loop.code;
}

TEST(LoopRange, OfANestIsCheckedWhereItIsTheSame) {
  const auto nest = compile("void f(double* restrict a, const double* restrict b, int n) {\n"
                            "for (int i = 0; i < 32; i++) for (int j = 0; j < 16; j++) for (int k = 0; k < 8; k++)\n"
                            "a[16 * i + j] += b[8 * j + k]; }");
  // A whole block of each.
  EXPECT_THAT(nest.checks, UnorderedElementsAre("read_range 1024", "write_range 4096")) << nest.code;
  const auto rows = compile("void f(double* a, long n, long m) {\n"
                            "for (long i = 0; i < 32; i++) for (long j = 0; j < m; j++) a[n * i + j] = 1; }");
  // Row by row: in the loop where the next one lies elsewhere, and the rest after it.
  EXPECT_THAT(rows.checks, ElementsAre("write_range", "write_range")) << rows.code;
}

TEST(LoopRange, OfALoopThatMayHaveNoIterationIsOfNothingThen) {
  const auto nest = compile("void f(double* restrict a, const double* restrict b, int n, int m) {\n"
                            "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) a[i] += b[j]; a[i] += 1; } }",
                            "-Os");
  EXPECT_THAT(nest.checks, UnorderedElementsAre("read_range", "write_range")) << nest.code;
  EXPECT_NE(nest.code.find("select i1"), std::string::npos) << nest.code;
}

TEST(LoopRange, OfWhatMayNotBeAccessedIsNone) {
  const auto condition = compile("void f(double* a, const int* c, int n) {\n"
                                 "for (int i = 0; i < n; i++) if (c[i]) a[i] = 1; }");
  EXPECT_THAT(condition.checks, ElementsAre("read_range", "write8")) << condition.code;
  const auto list = compile("struct l { struct l* next; int x; };\n"
                            "int f(struct l* p) { int s = 0; for (; p; p = p->next) s += p->x; return s; }");
  EXPECT_THAT(list.checks, ElementsAre("read4", "read8")) << list.code;
}

TEST(LoopRange, LeavesLoopsAloneInWhichSomethingMaySynchronise) {
  const std::string loop = "for (int i = 0; i < n; i++) { a[i] = i; ";
  for (const char* statement :
       {"g();", "h(i);", "asm volatile(\"\" ::: \"memory\");", "__atomic_fetch_add(&x, 1, __ATOMIC_RELEASE);",
        "__atomic_thread_fence(__ATOMIC_SEQ_CST);", "v = i;", "sum += omp_get_thread_num();"}) {
    const auto code = compile("void g(void); __attribute__((noinline)) static void h(int i) { if (i > 3) g(); }\n"
                              "int x, sum; volatile int v; int omp_get_thread_num(void);\n"
                              "void f(int* restrict a, int n) {\n" +
                                  loop + statement + "}}",
                              "-O2 -fopenmp");
    EXPECT_THAT(code.checks, testing::Contains("write4")) << statement << '\n' << code.code;
    EXPECT_THAT(code.checks, testing::Not(testing::Contains("write_range"))) << statement << '\n' << code.code;
  }
}

TEST(LoopRange, PassesByRelaxedAtomicsWhichOrderNothing) {
  const std::string update = "\n#pragma omp atomic\n", operation = "h[k[i]]++; } }";
  const std::string loop = "void f(int* h, const int* restrict k, int n) { for (int i = 0; i < n; i++) {";
  const auto relaxed = compile(loop + update + operation, "-O2 -fopenmp");
  EXPECT_THAT(relaxed.checks, ElementsAre("read_range", "atomic32_fetch_add")) << relaxed.code;
  const auto stronger = compile(loop + "\n#pragma omp atomic release\n" + operation, "-O2 -fopenmp");
  EXPECT_THAT(stronger.checks, ElementsAre("read4", "atomic32_fetch_add")) << stronger.code;
}

TEST(LoopRange, PassesByCallsThatSynchroniseNothing) {
  const auto code = compile("#include <math.h>\n"
                            "__attribute__((noinline)) static double h(const double* p) { return *p * 2; }\n"
                            "void f(double* restrict a, double* restrict b, int n) {\n"
                            "for (int i = 0; i < n; i++) a[i] = sin(a[i]) + sqrt(b[i]) + h(b + i); }",
                            "-O2");
  EXPECT_THAT(code.checks, testing::IsSupersetOf({"write_range", "read_range"})) << code.code;
  EXPECT_THAT(code.checks, testing::Not(testing::Contains("write8"))) << code.code;
}

TEST(LoopRange, LeavesAccessesAloneThatNobodyElseSees) {
  const auto code = compile("static const int table[100] = {1, 2, 3};\n"
                            "int f(const unsigned* b, int n) { int hist[100] = {0}, sum = 0;\n"
                            "for (int i = 0; i < n; i++) hist[b[i] % 100] += table[i];\n"
                            "for (int i = 0; i < 100; i++) sum += hist[i] * i;\n"
                            "return sum; }");
  EXPECT_THAT(code.checks, ElementsAre("read_range")) << code.code;
}

TEST(LoopRange, HasThePlaceOfTheAccess) {
  const auto code = compile("void f(int* a,\nint n) {\nfor (int i = 0; i < n; i++)\na[i] = i;\n}");
  const auto call = code.code.find("@__tsan_write_range");
  ASSERT_NE(call, std::string::npos) << code.code;
  const auto mark = code.code.substr(code.code.find("!dbg ", call) + 5, 5);
  const auto place = code.code.find('\n' + mark.substr(0, mark.find('\n')) + " = !DILocation(line: 4, column: 6");
  EXPECT_NE(place, std::string::npos) << code.code;
}

TEST(Plugin, IsLeftOut) {
  const std::string source = "void f(int* a, int n) { for (int i = 0; i < n; i++) a[i] = i; }";
  EXPECT_THAT(compile(source, "--fletcher-no-plugin").checks, ElementsAre("write4"));
  EXPECT_THAT(compile(source, "-O0").checks, ElementsAre("write4"));
  const auto unsanitized = compile("__attribute__((no_sanitize(\"thread\"))) " + source);
  EXPECT_THAT(unsanitized.checks, ElementsAre()) << unsanitized.code;
}

TEST(Plugin, LeavesNothingBehind) {
  const auto code = compile("void f(int* a, int n) { for (int i = 0; i < n; i++) a[i] = i; }", "-O2");
  EXPECT_EQ(code.code.find("!noalias"), std::string::npos) << code.code;
  EXPECT_EQ(code.code.find("fletcher.checked"), std::string::npos) << code.code;
}

} // namespace
} // namespace fletcher::test
