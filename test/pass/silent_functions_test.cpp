// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions without anything to report have no frame of the library's; those that may call something that has do.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* levels[] = {"-O0", "-O1", "-O2"};
constexpr const char* entry = "call void @__tsan_func_entry";

TEST(SilentFunctions, HaveNoFrames) {
  for (const char* level : levels) {
    const auto code =
        compile("int odd(int n); __attribute__((noinline)) int even(int n) { return n == 0 ? 1 : odd(n - 1) * n; }\n"
                "__attribute__((noinline)) int odd(int n) { return n == 0 ? 0 : even(n - 1) + even(n / 2); }",
                level);
    EXPECT_THAT(code.code, Not(HasSubstr(entry))) << level;
  }
}

TEST(SilentFunctions, DoNotLeadToAccesses) {
  for (const char* level : levels)
    for (const char* access : {"x++;", "other();", "__sync_fetch_and_add(&x, 1);", "where(&n);", "call();"}) {
      const auto code =
          compile("int x; void other(void), where(int*), (*call)(void);\n"
                  "__attribute__((noinline)) void leaf(int n) { if (n == 1) " +
                      std::string(access) +
                      " }\n"
                      "__attribute__((noinline)) int f(int n) { leaf(n); return n < 2 ? n : f(n - 1) + f(n - 2); }",
                  level);
      const auto f = code.code.find("@f(");
      ASSERT_NE(f, std::string::npos);
      EXPECT_NE(code.code.find(entry, code.code.find("define dso_local i32 @f(")), std::string::npos)
          << level << access << code.code;
    }
}

// Whoever links may put another one in its place.
TEST(SilentFunctions, AreNotKnownWhereTheyCanBeReplaced) {
  const auto code = compile("__attribute__((weak)) int leaf(int n) { return n; }\n"
                            "int f(int n) { return n < 2 ? leaf(n) : f(n - 1) + f(n - 2); }",
                            "-O0");
  EXPECT_NE(code.code.find(entry, code.code.find("@f(i32")), std::string::npos) << code.code;
}

} // namespace
} // namespace fletcher::test
