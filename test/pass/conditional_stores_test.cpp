// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable that a loop changes under a condition only is not read before the loop; one that it always changes may be
// kept in a register.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ConditionalStores, LeaveTheReadsWhereTheyAre) {
  for (const char* level : {"-O1", "-O2", "-O3"}) {
    const auto code = compile("int x; int f(const int* c, int n) {\n"
                              "for (int i = 0; i < n; i++) if (c[i * i]) x++; }",
                              level);
    EXPECT_THAT(code.code, Not(HasSubstr("volatile"))) << level;
    const auto condition = code.code.find("load i32, ptr %"), counter = code.code.find("load i32, ptr @x");
    ASSERT_NE(counter, std::string::npos) << level << code.code;
    EXPECT_LT(condition, counter) << level << code.code;
  }
}

// The inner loop reads and writes it where it is executed at all.
TEST(ConditionalStores, OfInnerLoopsAreNotReadBeforeTheOuterOne) {
  const auto code = compile("int x; struct s { long a; int b; };\n"
                            "void f(const int* c, int n, const int* d, struct s* s) {\n"
                            "for (int i = 0; i < n; i++)\n"
                            "if (c[i * i]) for (int k = 0; k < n; k++) x += d[k * k]; else s->b += i; }",
                            "-O2");
  const auto condition = code.code.find("load i32, ptr %"), counter = code.code.find("load i32, ptr @x");
  ASSERT_NE(counter, std::string::npos) << code.code;
  EXPECT_LT(condition, counter) << code.code;
}

// Of what only functions know that are inlined.
TEST(ConditionalStores, ToObjectsInRegistersAreNone) {
  for (const char* level : {"-O1", "-O2"}) {
    const auto code = compile("struct c { double x, y; };\n"
                              "static double size(const struct c* z) { return z->x * z->x + z->y * z->y; }\n"
                              "int f(double a, int n) { struct c z = {a, 1}; int k = 0;\n"
                              "while (k < n && size(&z) < 4) { z.x = z.x * z.x - a; z.y *= 2; k++; } return k; }",
                              level);
    EXPECT_THAT(code.checks, testing::IsEmpty()) << level << code.code;
    EXPECT_THAT(code.code, Not(HasSubstr("volatile"))) << level << code.code;
  }
}

TEST(ConditionalStores, OthersStayInRegisters) {
  const auto code = compile("int x; void f(const int* c, int n) { for (int i = 0; i < n; i++) x += c[i * i]; }");
  const auto loop = code.code.find("phi i32");
  ASSERT_NE(loop, std::string::npos) << code.code;
  EXPECT_LT(code.code.find("load i32, ptr @x"), loop) << code.code;
}

} // namespace
} // namespace fletcher::test
