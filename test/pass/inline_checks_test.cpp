// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the program itself looks at shadow memory before it calls the library, and how many places a line is.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace fletcher::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* glance = "@__fletcher_glance_";

TEST(InlineCheck, StandsBeforeTheCall) {
  for (const char* type : {"int", "long", "__int128"}) {
    const auto code = compile("void f(" + std::string(type) + "* p) { *p = 1; }");
    EXPECT_THAT(code.checks, testing::SizeIs(1)) << code.code;
    EXPECT_TRUE(std::regex_search(code.code, std::regex("br i1 .*, !prof"))) << code.code;
    EXPECT_THAT(code.code, HasSubstr(glance)) << code.code;
  }
}

// By its own strand first; a read also together with others, then by a strand whose reads are as good, then by either
// in the second cell.
TEST(InlineCheck, OfAReadLooksForThoseOfOthers) {
  const auto looks = [](const char* source) {
    const auto code = compile(source);
    const std::regex branch("br i1 .*, !prof");
    return std::distance(std::sregex_iterator(code.code.begin(), code.code.end(), branch), std::sregex_iterator());
  };
  EXPECT_EQ(looks("void f(long* p) { *p = 1; }"), 1);
  EXPECT_EQ(looks("long f(long* p) { return *p; }"), 4);
}

TEST(InlineCheck, IsOfFlagsToo) {
  const auto flag = compile("struct s { long x; _Bool leaf; }; int f(struct s* p) { return p->leaf; }");
  EXPECT_THAT(flag.checks, ElementsAre("read1")) << flag.code;
  EXPECT_THAT(flag.code, HasSubstr(glance)) << flag.code;
}

TEST(InlineCheck, IsOfVirtualTablePointersToo) {
  const auto call = compile("struct s { virtual int f(); int x; }; int f(s* p) { return p->f(); }", "-x c++");
  EXPECT_THAT(call.checks, ElementsAre("read8")) << call.code;
  EXPECT_THAT(call.code, HasSubstr(glance)) << call.code;
  const auto constructor = compile("struct s { virtual int f(); s(); }; s::s() {}", "-x c++");
  EXPECT_THAT(constructor.checks, testing::Each(HasSubstr("vptr_update"))) << constructor.code;
  EXPECT_THAT(constructor.checks, testing::Not(testing::IsEmpty())) << constructor.code;
}

TEST(InlineCheck, IsOfNothingElse) {
  const auto unaligned = compile("struct __attribute__((packed)) s { char c; long x; };\n"
                                 "long f(struct s* p) { return p->x; }");
  EXPECT_THAT(unaligned.checks, ElementsAre("unaligned_read8")) << unaligned.code;
  EXPECT_THAT(unaligned.code, Not(HasSubstr(glance)));
  const auto byte = compile("char f(char* p) { return *p; }");
  EXPECT_THAT(byte.checks, ElementsAre("read1")) << byte.code;
  EXPECT_THAT(byte.code, Not(HasSubstr(glance)));
  const auto small = compile("int f(int* p) { return *p; }", "-Os");
  EXPECT_THAT(small.checks, ElementsAre("read4")) << small.code;
  EXPECT_THAT(small.code, Not(HasSubstr(glance)));
  const auto range = compile("void f(int* p) { for (int i = 0; i < 100; i++) p[i] = i; }");
  EXPECT_THAT(range.code, Not(HasSubstr(glance)));
}

TEST(RolledLoop, HasOnePlaceForEachAccess) {
  const auto loop = compile("void f(int* a, const unsigned char* key, int n) {\n"
                            "for (int i = 0; i < n; i++) a[key[i]] = i; }",
                            "-O2");
  EXPECT_THAT(loop.checks, testing::UnorderedElementsAre("read_range", "write4")) << loop.code;
  const auto wanted = compile("void f(int* a, const unsigned char* key, int n) {\n"
                              "#pragma unroll 2\n"
                              "for (int i = 0; i < n; i++) a[key[i]] = i; }",
                              "-O2");
  EXPECT_GT(std::ranges::count(wanted.checks, "write4"), 1) << wanted.code;
}

} // namespace
} // namespace fletcher::test
