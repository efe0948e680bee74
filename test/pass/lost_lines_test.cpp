// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A load that the optimiser moved ahead of a loop has the line of the access that it was made of.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace fletcher::test {
namespace {

TEST(LostLines, AreThoseOfTheStore) {
  for (const char* level : {"-O1", "-O2", "-O3"}) {
    const auto code = compile("int x;\nvoid f(const int* c, int n) {\n"
                              "for (int i = 0; i < n; i++)\n"
                              "x += c[i * i]; }",
                              level);
    std::smatch place;
    ASSERT_TRUE(std::regex_search(code.code, place, std::regex("load i32, ptr @x, [^\n]*!dbg !([0-9]+)")))
        << level << code.code;
    const std::regex location("!" + place[1].str() + R"( = !DILocation\(line: 4,)");
    EXPECT_TRUE(std::regex_search(code.code, location)) << level << code.code;
  }
}

// The bound of a loop, read ahead of it, has nothing to do with what wrote it before.
TEST(LostLines, AreNotThoseOfAnEarlierStore) {
  const auto code = compile("void f(int* n, int writes, double* out) {\n"
                            "if (writes)\n"
                            "*n = 17;\n"
                            "double sum = 0;\n"
                            "for (int i = 0; i < *n; i++)\n"
                            "sum += i;\n"
                            "*out = sum; }",
                            "-O2");
  const std::regex load("load i32, ptr %[0-9]+, [^\n]*!dbg !([0-9]+)");
  std::smatch place;
  ASSERT_TRUE(std::regex_search(code.code, place, load)) << code.code;
  const std::regex location("!" + place[1].str() + R"( = !DILocation\(line: 5,)");
  EXPECT_TRUE(std::regex_search(code.code, location)) << code.code;
}

TEST(LostLines, AreThoseOfTheLoadWhereStoresWereMerged) {
  for (const char* level : {"-O1", "-O2"}) {
    const auto code = compile("struct e { struct e* next; }; void use(struct e**);\n"
                              "void f(struct e* head) { struct e* e =\n"
                              "head; while (e) { use(&e);\n"
                              "e = e->next; } }",
                              level);
    std::string lines;
    const std::regex store("store ptr %[0-9]+, ptr %[0-9]+, [^\n]*!dbg !([0-9]+)");
    for (std::sregex_iterator at(code.code.begin(), code.code.end(), store), end; at != end; ++at)
      if (std::regex_search(code.code, std::regex("!" + (*at)[1].str() + R"( = !DILocation\(line: 4,)"))) lines += "4";
    EXPECT_NE(lines, "") << level << code.code;
  }
}

// Clang gives the call that runs a target region none.
TEST(TargetLines, AreThoseOfTheConstructs) {
  for (const char* level : {"-O0", "-O2"}) {
    const auto code =
        compile("void f(double* a) {\nint n = 4;\n"
                "#pragma omp target map(tofrom : a[0 : 4])\n"
                "for (int i = 0; i < n; i++) a[i] = i; }",
                std::string(level) + " -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu --offload-host-only");
    std::smatch place;
    ASSERT_TRUE(std::regex_search(code.code, place, std::regex("@__tgt_target_kernel\\([^\n]*!dbg !([0-9]+)")))
        << level << code.code;
    const std::regex location("!" + place[1].str() + R"( = !DILocation\(line: 3,)");
    EXPECT_TRUE(std::regex_search(code.code, location)) << level << code.code;
  }
}

TEST(TargetLines, OfDataAreThoseOfTheConstructs) {
  for (const char* level : {"-O0", "-O2"}) {
    const auto code =
        compile("void g(void);\nvoid f(double* a) {\n"
                "#pragma omp target data map(tofrom : a[0 : 4])\n{ g();\n"
                "#pragma omp target update from(a[0 : 4])\n} }",
                std::string(level) + " -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu --offload-host-only");
    for (const auto& [call, line] : {std::pair("begin", 3), {"update", 5}, {"end", 3}}) {
      std::smatch place;
      ASSERT_TRUE(std::regex_search(
          code.code, place, std::regex("@__tgt_target_data_" + std::string(call) + "_mapper\\([^\n]*!dbg !([0-9]+)")))
          << level << code.code;
      const std::regex location("!" + place[1].str() + R"( = !DILocation\(line: )" + std::to_string(line) + ",");
      EXPECT_TRUE(std::regex_search(code.code, location)) << level << code.code;
    }
  }
}

} // namespace
} // namespace fletcher::test
