// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that the compiler's own instrumentation passes by, and that are checked nevertheless.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::UnorderedElementsAre;

/// The plugin is what makes the difference.
void expect_unseen_without(const std::string& source, const std::string& flags) {
  EXPECT_THAT(compile(source, flags + " --fletcher-no-plugin").checks, ElementsAre()) << source;
}

TEST(UnseenAccess, OfAWideVectorIsChecked) {
  const std::string source = "typedef float wide __attribute__((vector_size(32)));\n"
                             "void f(wide* a, const wide* b) { *a = *b; }";
  const auto code = compile(source, "-mavx");
  EXPECT_THAT(code.checks, ElementsAre("read_range 32", "write_range 32")) << code.code;
  expect_unseen_without(source, "-mavx");
}

TEST(UnseenAccess, OfAnExtendedFloatIsChecked) {
  const std::string source = "void f(long double* a) { *a = 1; }";
  const auto code = compile(source);
  EXPECT_THAT(code.checks, ElementsAre("write_range 10")) << code.code;
  expect_unseen_without(source, "");
  const auto plain = compile(source, "-O0");
  EXPECT_THAT(plain.checks, ElementsAre("write_range 10")) << plain.code;
}

TEST(UnseenAccess, OfMaskedLanesIsChecked) {
  const auto code = compile("void f(float* restrict a, const float* restrict b, const int* restrict c) {\n"
                            "for (int i = 0; i < 64; i++) if (c[i]) a[i] = b[i]; }",
                            "-O2 -march=x86-64-v3");
  EXPECT_THAT(code.checks, IsSupersetOf({"read_range 256", "read_masked", "write_masked"})) << code.code;
  EXPECT_NE(code.code.find("@llvm.masked.store"), std::string::npos) << code.code;
}

TEST(UnseenAccess, OfGatheredElementsIsChecked) {
  const std::string source = "#include <immintrin.h>\n"
                             "__m256 f(const float* a, __m256i i, __m256 m) { "
                             "return _mm256_maskload_ps(a, _mm256_castps_si256(m)); }\n"
                             "void g(double* a, const long* i, const double* b, const char* c) {\n"
                             "for (int k = 0; k < 64; k++) if (c[k]) a[i[k]] = b[k]; }";
  const auto code = compile(source, "-O3 -march=skylake-avx512 -mprefer-vector-width=512");
  if (code.code.find("@llvm.masked.scatter") == std::string::npos) GTEST_SKIP() << "not made a scatter";
  EXPECT_THAT(code.checks, testing::Contains("write_masked")) << code.code;
}

TEST(UnseenAccess, OfALocalArrayThatOthersKnowIsChecked) {
  const std::string source = "void share(int*);\n"
                             "void f(int i) { int a[64]; share(a); a[i] = 1; share(a + 1); }";
  const auto code = compile(source);
  EXPECT_THAT(code.checks, ElementsAre("unaligned_write4")) << code.code;
  expect_unseen_without(source, "");
}

TEST(UnseenAccess, OfAnAtomicUpdateOfAFloatIsAtomic) {
  const std::string source = "void f(float* a, double* b) {\n"
                             "#pragma omp atomic\n*a += 1;\n"
                             "#pragma omp atomic seq_cst\n*b -= 2;\n}";
  const auto code = compile(source, "-fopenmp");
  EXPECT_THAT(code.checks, ElementsAre("atomic32_load", "atomic32_compare_exchange_val", "atomic64_load",
                                       "atomic64_compare_exchange_val"))
      << code.code;
  expect_unseen_without(source, "-fopenmp");
}

TEST(UnseenAccess, OfTheLargerOrSmallerOfTwoIntegersIsAtomic) {
  const std::string source = "void f(int* a, unsigned char* b, int x, unsigned char y) {\n"
                             "#pragma omp atomic compare\nif (*a < x) { *a = x; }\n"
                             "#pragma omp atomic compare release\nif (*b > y) { *b = y; }\n}";
  const auto code = compile(source, "-fopenmp");
  EXPECT_THAT(code.checks, ElementsAre("atomic32_load", "atomic32_compare_exchange_val", "atomic8_load",
                                       "atomic8_compare_exchange_val"))
      << code.code;
  expect_unseen_without(source, "-fopenmp");
}

} // namespace
} // namespace fletcher::test
