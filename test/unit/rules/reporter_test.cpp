// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reporter counts what it gets, and can be asked at any moment.
#include "checker/rules/reporter.hpp"

#include <gtest/gtest.h>

namespace fletcher::rules {
namespace {

struct Counter : FindingSink {
  int told = 0, repeated = 0;
  void found(std::uint64_t, Finding) override { ++told; }
  void again(std::uint64_t) override { ++repeated; }
};

TEST(Reporter, CanBeAskedInTheMidstOfAReport) {
  Counter sink;
  const constructs::StackVariables none;
  Reporter reporter(sink, 10, none);
  std::uint64_t asked = 0; // as by a signal handler that interrupts the description
  for (int i = 0; i < 2; ++i)
    reporter.report({Rule::data_race, 1, 2}, [&] {
      asked = reporter.findings();
      return Finding{};
    });
  EXPECT_EQ(asked, 1U);
  EXPECT_EQ(reporter.findings(), 1U);
  EXPECT_EQ(sink.told, 1);
  EXPECT_EQ(sink.repeated, 1);
}

/// A recursion must not fill the report.
TEST(Reporter, TellsAFewCallersOfOnePlaceApart) {
  Counter sink;
  const constructs::StackVariables none;
  Reporter reporter(sink, 100, none);
  constexpr std::uint32_t callers = 2 * Reporter::most_callers;
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t i = 1; i <= callers; ++i)
      reporter.report({Rule::data_race, 1, 2}, {ContextId{i}, ContextId{i}}, [] { return Finding{}; });
  EXPECT_EQ(sink.told, int{Reporter::most_callers});
  EXPECT_EQ(sink.repeated, int{2 * callers} - int{Reporter::most_callers});
  reporter.report({Rule::data_race, 1, 3}, {ContextId{1}, ContextId{1}}, [] { return Finding{}; });
  EXPECT_EQ(sink.told, int{Reporter::most_callers} + 1);
}

} // namespace
} // namespace fletcher::rules
