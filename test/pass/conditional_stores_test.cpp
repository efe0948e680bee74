// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable that a loop changes under a condition only is not read before the loop; one that it always changes is
// kept in a register, and checked once.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(ConditionalStores, LeaveTheReadsWhereTheyAre) {
  for (const char* level : {"-O1", "-O2", "-O3"}) {
    const auto code = compile("int x; int f(const int* c, int n) {\n"
                              "for (int i = 0; i < n; i++) if (c[i * i]) x++; }",
                              level);
    // Of c, and in the branch of x: nothing stands before the loop.
    EXPECT_THAT(code.code, Not(HasSubstr("volatile"))) << level;
    EXPECT_EQ(code.code.find("load i32, ptr @x"), code.code.rfind("load i32, ptr @x")) << level << code.code;
    const auto branch = code.code.find("br i1", code.code.find("icmp eq"));
    EXPECT_GT(code.code.find("load i32, ptr @x"), branch) << level << code.code;
  }
}

} // namespace
} // namespace fletcher::test
