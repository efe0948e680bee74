// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of small structures are checked like loads and stores.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

const std::string declarations = "struct pair { double a, b; }; struct mixed { double a; long* b; };\n"
                                 "struct large { double a[5]; };\n";

TEST(SmallCopy, IsALoadAndAStore) {
  const auto code = compile(declarations + "void f(struct pair* to, const struct pair* from) { *to = *from; }");
  EXPECT_THAT(code.checks, UnorderedElementsAre("read16", "write16")) << code.code;
  const auto large = compile(declarations + "void f(struct large* to, const struct large* from) { *to = *from; }");
  EXPECT_THAT(large.checks, ElementsAre("memcpy 40")) << large.code;
}

TEST(SmallCopy, OfALoopIsCheckedBeforeIt) {
  const auto code = compile(declarations + "void f(struct pair (*to)[8], const struct pair* from) {\n"
                                           "for (int i = 0; i < 64; i++) to[i][0] = from[i]; }");
  EXPECT_THAT(code.checks, UnorderedElementsAre("read_range 1024", "write_strided 64")) << code.code;
}

TEST(SmallCopy, MayOverlayItsSource) {
  const auto code = compile(declarations + "void f(struct pair* to, const struct pair* from) {\n"
                                           "__builtin_memmove(to, from, 16); }");
  EXPECT_THAT(code.checks, UnorderedElementsAre("read16", "write16")) << code.code;
}

TEST(SmallCopy, IsOfTheTypeThatAllMembersHave) {
  // Numbers are no pointers: the pointers need not be read again in each iteration. With a pointer in it they do.
  const auto numbers = compile(declarations + "struct pair* p[2];\n"
                                              "void f(int n) { for (int i = 0; i < n; i++) p[0][i] = p[1][2 * i]; }");
  EXPECT_THAT(numbers.checks, testing::Contains("write_range")) << numbers.code;
  const auto mixed = compile(declarations + "struct mixed* p[2];\n"
                                            "void f(int n) { for (int i = 0; i < n; i++) p[0][i] = p[1][2 * i]; }");
  EXPECT_THAT(mixed.checks, testing::Not(testing::Contains("write_range"))) << mixed.code;
}

} // namespace
} // namespace fletcher::test
