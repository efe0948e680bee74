// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of records at places that nobody foresees: asked for together, each reported with its own line where need be.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

const auto question = testing::StartsWith("read_told");

Compiled loop_with(const std::string& body) {
  return compile("struct record { double a, b, c, d, e; };\n"
                 "double f(const struct record* table, const int* which, int n, double* restrict out) {\n"
                 "  double sum = 0;\n"
                 "  for (int i = 0; i < n; i++) {\n" +
                     body +
                     "  }\n"
                     "  return sum;\n}",
                 "-O2");
}

TEST(RecordReads, OfManyFieldsAreAskedForTogether) {
  const auto all = loop_with("const struct record* r = table + which[i];\n"
                             "sum += r->a * r->b;\n"
                             "sum += r->c * r->d;\n"
                             "sum += r->e;\n");
  EXPECT_THAT(all.checks, ElementsAre("read_range", "read_told 5", "read8", "read8", "read8", "read8", "read8"))
      << all.code;
}

// The compiler makes one read of two fields where it can.
TEST(RecordReads, OfPairsAreAskedForTogether) {
  const auto pairs = loop_with("const struct record* r = table + which[i];\n"
                               "out[2 * i] = r->a + r->c;\n"
                               "out[2 * i + 1] = r->b + r->d;\n");
  EXPECT_THAT(pairs.checks, Contains("read_told 4")) << pairs.code;
  EXPECT_THAT(pairs.checks, Contains("read16")) << pairs.code;
}

TEST(RecordReads, OfFewFieldsAreLookedAtInTheProgram) {
  const auto few = loop_with("const struct record* r = table + which[i];\n"
                             "sum += r->a * r->b + r->d;\n");
  EXPECT_THAT(few.checks, Not(Contains(question))) << few.code;
}

TEST(RecordReads, InOrderAreForeseen) {
  const auto foreseen = loop_with("const struct record* r = table + i;\n"
                                  "if (which[i]) sum += r->a * r->b + r->c * r->d * r->e;\n");
  EXPECT_THAT(foreseen.checks, Not(Contains(question))) << foreseen.code;
}

TEST(RecordReads, OnBothSidesOfAnUnknownCallAreNotTogether) {
  const auto apart = compile("struct record { double a, b, c, d, e; };\n"
                             "void unknown(void);\n"
                             "double f(const struct record* table, const int* which, int n) {\n"
                             "  double sum = 0;\n"
                             "  for (int i = 0; i < n; i++) {\n"
                             "    const struct record* r = table + which[i];\n"
                             "    sum += r->a * r->b;\n"
                             "    unknown();\n"
                             "    sum += r->c * r->d;\n"
                             "  }\n"
                             "  return sum;\n}",
                             "-O2");
  EXPECT_THAT(apart.checks, Not(Contains(question))) << apart.code;
}

} // namespace
} // namespace fletcher::test
