// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which accesses need no check because the same strand checked their bytes before.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::ElementsAre;

const std::string declarations = "void g(void); long x; struct s { int a, b; long c; };\n"
                                 "#define OPAQUE(p) __asm__(\"\" : \"+r\"(p))\n";

TEST(RedundantCheck, IsLeftOutAfterAnAccessOnEveryWay) {
  const auto after = compile(declarations + "int f(struct s* p, struct s* q, int c) {\n"
                                            "p->a = 1; if (c) q->b = 2; return p->a; }");
  EXPECT_THAT(after.checks, ElementsAre("write4", "write4")) << after.code;
  const auto joined = compile(declarations + "int f(struct s* p, struct s* q, int c) {\n"
                                             "if (c) p->a = 1; else { p->a = 5; q->b = 3; } q->c = 2; return p->a; }");
  EXPECT_THAT(joined.checks, ElementsAre("write4", "write4", "write4", "write8")) << joined.code;
}

TEST(RedundantCheck, IsLeftOutWithinALargerAccess) {
  const auto part = compile(declarations + "int f(struct s* p, struct s* q) {\n"
                                           "*(long*)&p->a = 1; q->b = 2; return p->b; }",
                            "-fno-strict-aliasing");
  EXPECT_THAT(part.checks, ElementsAre("write8", "write4")) << part.code;
}

TEST(RedundantCheck, StaysWhereAWayLeadsPastTheFirst) {
  const auto one_way = compile(declarations + "int f(struct s* p, struct s* q, int c) {\n"
                                              "if (c) { p->a = 1; q->b = 3; } q->c = 2; return p->a; }");
  EXPECT_THAT(one_way.checks, ElementsAre("write4", "write4", "write8", "read4")) << one_way.code;
}

TEST(RedundantCheck, StaysForAWriteAfterARead) {
  const auto code = compile(declarations + "void f(struct s* p, int c) { if (p->a > c) p->a = 1; }");
  EXPECT_THAT(code.checks, ElementsAre("read4", "write4")) << code.code;
}

TEST(RedundantCheck, StaysWhereSomethingMaySynchroniseBetween) {
  for (const char* between : {"g();", "__atomic_store_n(&x, 1, __ATOMIC_RELEASE);", "__atomic_thread_fence(5);",
                              "__asm__ volatile(\"\" ::: \"memory\");", "while (__atomic_load_n(&x, 5)) ;"}) {
    const auto code =
        compile(declarations + "int f(struct s* p) { p->a = 1; " + std::string(between) + " return p->a; }");
    EXPECT_THAT(code.checks, testing::Contains("read4")) << between << '\n' << code.code;
  }
  const auto in_loop = compile(declarations + "void f(struct s* p) { while (p->a) { p->b = 1; g(); } }");
  EXPECT_THAT(in_loop.checks, ElementsAre("read4", "write4", "read4")) << in_loop.code;
}

TEST(RedundantCheck, IsLeftOutBeyondARelaxedAtomic) {
  const auto code = compile(
      declarations + "int f(struct s* p) { p->a = 1; __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED); return p->a; }");
  EXPECT_THAT(code.checks, ElementsAre("write4", "atomic64_fetch_add")) << code.code;
}

TEST(RedundantCheck, IsLeftOutAfterTheCheckOfALoop) {
  const auto code = compile(declarations + "int f(struct s* p, int* q, int n) {\n"
                                           "p->a = 1; for (int i = 0; i < n; i++) q[i] = i; return p->a; }");
  EXPECT_THAT(code.checks, ElementsAre("write4", "write_range")) << code.code;
}

TEST(RedundantCheck, IsOfTheSameAddressNotOfTheSameExpression) {
  const auto code = compile(declarations + "int f(struct s** list, int n) { int sum = 0; struct s* p = *list;\n"
                                           "do { p->a = n; list++; p = *list; sum += p->b; } while (p);\n"
                                           "return sum; }");
  EXPECT_THAT(code.checks, testing::IsSupersetOf({"write4", "read8", "read4"})) << code.code;
}

TEST(RedundantCheck, OfTheReadIsLeftOutBeforeAWrite) {
  const auto code = compile(declarations + "void f(struct s* p, struct s* q) { p->a++; q->c = 1; p->b += p->a; }");
  EXPECT_THAT(code.checks, ElementsAre("write4", "write8", "write4")) << code.code;
}

} // namespace
} // namespace fletcher::test
