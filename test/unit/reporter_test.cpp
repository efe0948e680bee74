// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reporter counts what it was told, and can be asked at any moment.
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

} // namespace
} // namespace fletcher::rules
