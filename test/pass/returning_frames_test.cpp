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
