// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which accesses need no check because only clang's code for OpenMP and the runtime know the memory.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string flags = "-fopenmp -fopenmp-version=51";
const std::string declarations = "void g(int*); extern int* known; typedef struct { long v[5]; } record;\n";

TEST(RuntimeMemory, OfATaskNeedsNoChecks) {
  const auto shared = compile("void f(int* p, int n) {\n"
                              "#pragma omp task shared(n)\n"
                              "*p = n; }",
                              flags);
  EXPECT_THAT(shared.checks, ElementsAre("write4", "task_keeps 0", "frame_returns 4", "read4", "write4"))
      << shared.code; // n itself and *p
  const auto copied = compile("void f(int* p, int n) {\n"
                              "#pragma omp task firstprivate(n) depend(inout: p[0], p[1]) priority(n)\n"
                              "{ n++; p[n] = n; } }",
                              flags);
  EXPECT_THAT(copied.checks, ElementsAre("task_keeps 0", "write4")) << copied.code; // p and p[n]
}

/// A thread that reads nothing but its number has done nothing: a taskwait by the other one may begin afresh then.
TEST(RuntimeMemory, WithTheThreadsNumberNeedsNoChecks) {
  const std::string text = "int x; void f(void) {\n"
                           "#pragma omp parallel\n"
                           "#pragma omp single\n"
                           "x = 1; }";
  for (const char* level : {" -O0", " -O0 -g", " -O1", " -O2 -g"}) {
    const auto code = compile(text, flags + level);
    EXPECT_THAT(code.checks, ElementsAre("team_is_open", "write4")) << level << code.code;
  }
}

TEST(RuntimeMemory, OfATaskloopNeedsNoChecks) {
  const auto code = compile("void f(int* p, int n) {\n"
                            "#pragma omp taskloop firstprivate(p)\n"
                            "for (int i = 0; i < n; i++) p[i * i] = i; }",
                            flags);
  EXPECT_THAT(code.checks, Each(HasSubstr("write"))) << code.code;
  EXPECT_THAT(code.checks, testing::SizeIs(1)) << code.code;
}

TEST(RuntimeMemory, OfWaitsAndLoopsNeedsNoChecks) {
  const auto code = compile("void f(int* p, int n) {\n"
                            "#pragma omp taskwait depend(in: p[0])\n"
                            "#pragma omp for schedule(dynamic)\n"
                            "for (int i = 0; i < n; i++) p[i * i] = i;\n"
                            "#pragma omp for schedule(static, 3)\n"
                            "for (int i = 0; i < n; i++) p[i * i] = i; }",
                            flags);
  EXPECT_THAT(code.checks, ElementsAre("write4", "begin_chunks 3", "next_chunk", "write4")) << code.code;
}

/// Of the function itself, without the one that combines two threads' copies.
std::vector<std::string> checks_of_reduction(const std::string& body, const std::string& level) {
  const auto code = compile("extern int sum, *known; void f(const int* p, int n) {\n"
                            "#pragma omp for schedule(dynamic) reduction(+ : sum)\n"
                            "for (int i = 0; i < n; i++) {" +
                                body + "} }",
                            flags + level);
  auto checks = code.checks;
  checks.erase(std::ranges::find_if(checks, [](const auto& c) { return c.starts_with("atomic"); }), checks.end());
  return checks;
}

TEST(RuntimeMemory, OfReductionsNeedsNoChecks) {
  EXPECT_THAT(checks_of_reduction("sum += p[i * i];", " -O1"),
              ElementsAre("read4", "write4")); // p[i * i], the original
  EXPECT_THAT(checks_of_reduction("sum += p[i * i];", " -O0"), ElementsAre("read4", "read_write4"));
  EXPECT_THAT(checks_of_reduction("sum += p[i * i]; known = &sum;", " -O1"), testing::SizeIs(testing::Gt(4)));
}

TEST(RuntimeMemory, OfPrivateVariablesThatOthersKnowIsChecked) {
  const std::string task = "void f(int n) {\n#pragma omp task firstprivate(n)\n";
  for (const char* body : {"{ g(&n); n++; g(0); }", "{ known = &n; n++; g(0); }",
                           "{\n#pragma omp task shared(n)\nn++;\nn++; }", "{\n#pragma omp parallel\nn++;\nn++; }"}) {
    const auto code = compile(declarations + task + body + " }", flags);
    EXPECT_THAT(code.checks, Contains("write4")) << body << '\n' << code.code;
  }
}

TEST(RuntimeMemory, OfPrivateObjectsThatTheirConstructorsMakeKnownIsChecked) {
  const std::string object = "struct object { int v; inline object(int n) : v(n) {}\n"
                             "inline object(object const& o) : v(o.v) { if (LEAKS) known = &v; } };\n";
  const std::string function = "void f() { object o(1);\n#pragma omp task firstprivate(o)\no.v++; }\n";
  const std::string loop = "void f() { object o(1);\n#pragma omp taskloop firstprivate(o)\n"
                           "for (int i = 0; i < 9; i++) o.v++; }\n";
  for (const std::string& code : {function, loop}) {
    const auto leaking = compile("extern int* known;\n" + object + code, flags + " -x c++ -DLEAKS=1");
    const auto closed = compile("extern int* known;\n" + object + code, flags + " -x c++ -DLEAKS=0");
    EXPECT_GT(std::ranges::count(leaking.checks, "write4"), std::ranges::count(closed.checks, "write4"))
        << leaking.code << closed.code;
  }
}

TEST(RuntimeMemory, CopiedFromTheProgramsIsCheckedThere) {
  const auto code = compile(declarations + "void f(record* r, long* p) {\n"
                                           "record copy = *r;\n"
                                           "#pragma omp task firstprivate(copy)\n"
                                           "p[copy.v[1]] = copy.v[p[0]]; }",
                            flags);
  EXPECT_THAT(code.checks, ElementsAre("read_range 40", "task_keeps 0", "read8", "write8")) << code.code;
  const auto filled =
      compile(declarations + "void f(record* r) { record copy; __builtin_memset(&copy, 1, sizeof copy);\n"
                             "*r = copy; }",
              flags);
  EXPECT_THAT(filled.checks, Contains(HasSubstr("memset"))) << filled.code; // of *r
}

/// As in functions whose loops were unrolled.
TEST(RuntimeMemory, OfAVariableWithManyUsesNeedsNoChecks) {
  std::string text = "long f(long* p) { long v[8] = {0};\n";
  for (int i = 0; i < 150; ++i) text += "v[*p & 7] += *p;\n";
  text += "return v[*p & 7]; }";
  for (const char* level : {" -O0", " -O2"}) {
    const auto code = compile(text, flags + level);
    EXPECT_THAT(code.checks, Each("read8")) << level << code.code; // *p
    EXPECT_THAT(code.checks, Not(IsEmpty())) << level;
    EXPECT_LE(code.checks.size(), 301U) << level;
  }
}

TEST(RuntimeMemory, IsNoOneElsesBecauseOfItsShape) {
  // Looks like a task's function and its block, but is not called by the runtime.
  const auto code = compile("__attribute__((noinline)) static int entry(int n, long** task) { return **task + n; }\n"
                            "int f(long** task) { return entry(1, task); }",
                            flags);
  EXPECT_THAT(code.checks, ElementsAre("read8", "read8")) << code.code;
}

} // namespace
} // namespace fletcher::test
