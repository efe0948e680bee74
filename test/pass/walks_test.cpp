// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which accesses of loops are checked when the loop ends, and which have to stay where they are.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

TEST(Walk, OfASearchIsOneRangeAtEachExit) {
  const auto search = compile("int f(const int* a, int n) { for (int i = 0; i < n; i++) if (a[i] == 7) return i;\n"
                              "return -1; }");
  EXPECT_THAT(search.checks, Each(testing::StartsWith("read_range"))) << search.code;
  const auto word = compile("const char* f(const char* p) { while (*p > ' ') p++; return p; }");
  EXPECT_THAT(word.checks, ElementsAre("read_range")) << word.code;
}

TEST(Walk, OfAMergeIsThreeRanges) {
  for (const char* flags : {"-O1", "-O2", "-O3", "-Os"}) {
    const auto merge = compile("void f(const int* a, int half, int n, int* restrict to) {\n"
                               "int left = 0, right = half, out = 0;\n"
                               "while (left < half && right < n)\n"
                               "to[out++] = a[left] <= a[right] ? a[left++] : a[right++]; }",
                               flags);
    EXPECT_THAT(merge.checks, UnorderedElementsAre("read_range", "read_range", "write_range")) << flags << merge.code;
  }
}

/// Goes on at two places, each of which writes: to LLVM a nest of two loops.
std::string merge_of_pointers(const std::string& first, const std::string& second, const std::string& flags) {
  const auto merge = compile("void f(long* low1, long* high1, long* low2, long* high2, long* restrict to) {\n"
                             "long a1 = *low1, a2 = *low2;\n"
                             "for (;;) {\n"
                             "if (a1 < a2) { " +
                                 first +
                                 " if (low1 >= high1) break; }\n"
                                 "else { " +
                                 second +
                                 " if (low2 >= high2) break; }\n"
                                 "} }",
                             flags);
  std::vector<std::string> checks = merge.checks;
  std::ranges::sort(checks);
  std::string all;
  for (const std::string& check : checks) all += check + ' ';
  return all;
}

TEST(Walk, OfAMergeThatGoesOnAtTwoPlacesIsThreeRanges) {
  for (const char* flags : {"-O1", "-O2", "-O3"}) {
    // The first elements are read before.
    EXPECT_EQ(merge_of_pointers("*to++ = a1; a1 = *++low1;", "*to++ = a2; a2 = *++low2;", flags),
              "read8 read8 read_range read_range write_range ")
        << flags;
    EXPECT_THAT(merge_of_pointers("*to++ = a1; a1 = *++low1;", "to++; a2 = *++low2;", flags), HasSubstr("write8 "))
        << "a place is left out, " << flags;
    EXPECT_THAT(merge_of_pointers("*to++ = a1; a1 = *++low1;", "*to = a2; to += 2; a2 = *++low2;", flags),
                HasSubstr("write8 "))
        << "steps differ, " << flags;
  }
}

TEST(Walk, IsNoneWhereALoopMayWaitForOthers) {
  const auto wait = compile("void f(int* a, int* b) { for (;;) {\n"
                            "if (*a == 1) { a++; if (*a == 7) break; } else if (*b == 2) { b++; } } }",
                            "-O2");
  EXPECT_THAT(wait.checks, Each(std::string("read4"))) << wait.code;
}

TEST(Walk, OfAFilterIsWhatItKeeps) {
  const auto filter = compile("int f(const double* a, int n, double* restrict to) { int k = 0;\n"
                              "for (int i = 0; i < n; i++) if (a[i] > 0.5) to[k++] = a[i];\nreturn k; }",
                              "-O2");
  EXPECT_THAT(filter.checks, UnorderedElementsAre("read_range", "write_range")) << filter.code;
}

TEST(Walk, GoesBackwardsToo) {
  const auto insert = compile("void f(int* a, int j, int x) { for (; j > 0 && a[j - 1] > x; j--) a[j] = 0; }");
  EXPECT_THAT(insert.checks, UnorderedElementsAre("read_range", "write_range")) << insert.code;
}

TEST(Walk, LeavesOutWhatIsNotAccessed) {
  const auto field = compile("struct s { double key, x; };\n"
                             "const struct s* f(const struct s* p, double k) { while (p->key < k) p++; return p; }");
  EXPECT_THAT(field.checks, ElementsAre("read_strided")) << field.code;
}

TEST(Walk, OfAnUpdateIsTheWriteOnly) {
  const auto update = compile("void f(int* a) { int i = 0; do a[i]++; while (a[++i] != 0); }");
  EXPECT_THAT(update.checks, UnorderedElementsAre("read_range", "write_range")) << update.code;
}

TEST(Walk, IsNoneWhereItMayGoOnWithoutTheAccess) {
  const auto holes = compile("int f(const int* a, const int* c, int n) { int s = 0, k = 0;\n"
                             "for (int i = 0; i < n; i++) { if (c[i]) s += a[k];\nk++; if (s > 1000) break; }\n"
                             "return s; }",
                             "-O2");
  EXPECT_THAT(holes.checks, Contains("read4")) << holes.code;
  const auto other = compile("int f(const int* a, const int* c, int n) { int s = 0, k = 0;\n"
                             "for (int i = 0; i < n; i++) { if (c[i] == 1) s += a[k]; else if (c[i] == 2) k++; }\n"
                             "return s; }",
                             "-O2");
  EXPECT_THAT(other.checks, Contains("read4")) << other.code;
}

TEST(Walk, IsNoneWhereStepsDiffer) {
  const auto code = compile("int f(const int* a, int n) { int k = 0;\n"
                            "for (int i = 0; i < n; i++) k += a[k] > i ? 3 : 1;\nreturn k; }",
                            "-O2");
  EXPECT_THAT(code.checks, ElementsAre("read4")) << code.code;
}

TEST(Walk, IsNoneWhereItsNumberMayWrap) {
  const auto code = compile("int f(const int* a, unsigned k) { while (a[k] > 3) k++;\nreturn a[k + 1]; }", "-O2");
  EXPECT_THAT(code.checks, Contains("read4")) << code.code;
  EXPECT_THAT(code.checks, Not(Contains("read_range"))) << code.code;
}

TEST(Walk, LeavesLoopsAloneInWhichSomethingMaySynchronise) {
  const auto call = compile("void g(void); int f(const int* a) { int i = 0; while (a[i] != 0) { i++; g(); }\n"
                            "return i; }");
  EXPECT_THAT(call.checks, Each(std::string("read4"))) << call.code;
  const auto endless = compile("void f(int* a) { for (int i = 0;; i++) a[i & 7] = a[i]; }", "-fno-strict-overflow");
  EXPECT_THAT(endless.checks, Contains("read4")) << endless.code;
}

TEST(Walk, IsNotCheckedBehindWhatMayTellTheThreadWhichOneItIs) {
  const auto walk = [](const std::string& atomic) {
    return compile("int x; void f(const int* restrict from, int* restrict to, int n) { int k = 0;\n"
                   "for (int i = 0; i < n; i++) if (i & 1) { to[k++] = 1; " +
                   atomic + " } }");
  };
  const auto update = walk("__atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);");
  EXPECT_THAT(update.checks, ElementsAre("write4", "atomic32_fetch_add")) << update.code;
  const auto store = walk("__atomic_store_n(&x, 1, __ATOMIC_RELAXED);");
  EXPECT_THAT(store.checks, UnorderedElementsAre("write_range", "atomic32_store")) << store.code;
}

} // namespace
} // namespace fletcher::test
