// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a function returns whose variable a task uses, and nothing has waited for the task: the library is told.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// A function that has a task use its array, in front of `rest`.
std::string starts(const std::string& rest) {
  return "void use(int*);\n"
         "static void start(int n) { int values[8]; use(values);\n"
         "#pragma omp task shared(values)\n"
         "use(values);\n" +
         rest + "}\nvoid f(int n) { start(n); }";
}

TEST(ReturningFrames, AreToldOf) {
  for (const char* rest : {"", "if (n > 3) return;\n#pragma omp taskwait\n"}) {
    const auto code = compile(starts(rest), "-fopenmp");
    EXPECT_THAT(code.checks, Contains("frame_returns 32")) << code.code;
  }
}

// Of a variable that the task does not name.
TEST(ReturningFrames, AreToldOfWhereATaskHasACopyOfAPointer) {
  const auto start = [](const std::string& declared) {
    return "#include <alloca.h>\nvoid use(int*); int* block(void);\n"
           "void f(int n) { int other[16]; use(other);\n" +
           declared +
           "use(p);\n"
           "#pragma omp task firstprivate(p)\n"
           "use(p); }";
  };
  for (const char* declared : {"int values[8]; int* p = values;", "int values[8], *q = &values[2], *p = q + 1;",
                               "int values[8], *p = n > 3 ? values : block();"}) {
    const auto code = compile(start(declared), "-fopenmp");
    EXPECT_THAT(code.checks, Contains("frame_returns 32")) << code.code;
    EXPECT_THAT(code.checks, Not(Contains("frame_returns 64"))) << code.code;
  }
  EXPECT_THAT(compile(start("int* p = alloca(n * 4);"), "-fopenmp").code, HasSubstr("frame_returns"));
  EXPECT_THAT(compile(start("int* p = block();"), "-fopenmp").code, Not(HasSubstr("frame_returns")));
}

// The library looks for addresses in them when the task is created.
TEST(ReturningFrames, OfCopiesThatATaskFollowsTheLibraryIsToldAtItsCreation) {
  const auto with = [](const std::string& task) {
    return compile("struct Part { int *begin; int size; }; void use(const int*); int* make(int*);\n"
                   "static int first(struct Part* p) { return p->begin[0]; }\n"
                   "static int size(struct Part* p) { return p->size; }\n"
                   "void f(int n) { int values[8]; use(values);\n"
                   "struct Part part = {values, n}; int* p = values; int* other = make(values);\n"
                   "#pragma omp task firstprivate(part, p, other, n)\n" +
                       task + "\n#pragma omp taskwait\n}",
                   "-fopenmp")
        .code;
  };
  for (const char* task : {"use(p);", "if (n > 3) *p = n;", "{ int* q = p + 1; *q = n; }", "use(part.begin);",
                           "n = first(&part);", "{ struct Part q = part; q.begin[1] = 0; }"})
    EXPECT_THAT(with(task), HasSubstr("task_keeps")) << task;
  for (const char* task : {"n = p == 0;", "n = part.size;", "n = size(&part);", "use(other);", "p = &n;"})
    EXPECT_THAT(with(task), Not(HasSubstr("task_keeps"))) << task;
}

TEST(ReturningFrames, CountAsWellWhereTheFunctionGaveTheAddressToOneThatLeavesATask) {
  const auto gives = [](const std::string& rest) {
    return "void use(int*);\n"
           "static void give(int* p) {\n"
           "#pragma omp task firstprivate(p)\n"
           "use(p);\n" +
           rest + "}\nvoid f(int n) { int values[8]; use(values); give(values); }";
  };
  const auto left = compile(gives(""), "-fopenmp"), awaited = compile(gives("\n#pragma omp taskwait\n"), "-fopenmp");
  EXPECT_THAT(left.checks, Contains("frame_returns 32")) << left.code;
  EXPECT_THAT(left.code, HasSubstr("task_keeps"));
  EXPECT_THAT(awaited.code, Not(HasSubstr("frame_returns"))) << awaited.code;
}

TEST(ReturningFrames, AreAwaitedAfterATaskwait) {
  const auto code = compile(starts("\n#pragma omp taskwait\n"), "-fopenmp");
  EXPECT_THAT(code.checks, Not(Contains("frame_returns 32"))) << code.code;
  EXPECT_THAT(code.checks, Contains("frame_returns_awaited 32")) << code.code;
}

TEST(ReturningFrames, AreNotToldOfAfterABarrier) {
  const auto code = compile(starts("\n#pragma omp barrier\n"), "-fopenmp");
  EXPECT_THAT(code.code, Not(HasSubstr("frame_returns"))) << code.code;
}

} // namespace
} // namespace fletcher::test
