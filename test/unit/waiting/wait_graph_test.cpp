// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wait-for graph by hand: who is stuck, and which circle is shown.
#include "checker/waiting/wait_graph.hpp"

#include <gtest/gtest.h>

namespace fletcher::waiting {
namespace {

using Labels = std::vector<std::vector<std::uint32_t>>;

Labels labels(const WaitGraph& graph) {
  Labels result;
  for (const auto& circle : graph.circles()) {
    result.emplace_back();
    for (const auto& edge : circle) result.back().push_back(edge.label);
  }
  return result;
}

TEST(WaitGraph, ARunnerLetsAllGoOn) {
  WaitGraph g;
  const auto a = g.add(Needs::all), b = g.add(Needs::all), runs = g.add(Needs::nothing);
  g.wait(a, b, 1);
  g.wait(b, runs, 2);
  EXPECT_EQ(g.stuck(), std::vector<bool>({false, false, false}));
  EXPECT_TRUE(g.circles().empty());
}

TEST(WaitGraph, TwoThatWaitForEachOther) {
  WaitGraph g;
  const auto a = g.add(Needs::all), b = g.add(Needs::all), runs = g.add(Needs::nothing), outside = g.add(Needs::all);
  g.wait(a, b, 1);
  g.wait(b, a, 2);
  g.wait(b, runs, 3);
  g.wait(outside, a, 4);
  EXPECT_EQ(g.stuck(), std::vector<bool>({true, true, false, true}));
  EXPECT_EQ(labels(g), (Labels{{1, 2}}));
}

TEST(WaitGraph, OneThatWaitsForItself) {
  WaitGraph g;
  const auto a = g.add(Needs::all);
  g.wait(a, a, 7);
  EXPECT_EQ(labels(g), (Labels{{7}}));
}

TEST(WaitGraph, AnyOfSeveralIsEnough) {
  WaitGraph g;
  const auto a = g.add(Needs::one), b = g.add(Needs::all), runs = g.add(Needs::nothing);
  g.wait(a, b, 1);
  g.wait(b, a, 2);
  EXPECT_EQ(labels(g), (Labels{{1, 2}}));
  g.wait(a, runs, 3);
  EXPECT_TRUE(g.circles().empty());
}

TEST(WaitGraph, AllOfTheAlternativesAreStuck) {
  WaitGraph g;
  const auto queued = g.add(Needs::one), first = g.add(Needs::all), second = g.add(Needs::all);
  g.wait(queued, first, 1, 4);
  g.wait(queued, second, 2, 1);
  g.wait(first, queued, 3, 4);
  g.wait(second, queued, 4, 1);
  EXPECT_EQ(labels(g), (Labels{{2, 4}})) << "the cheaper circle";
}

TEST(WaitGraph, WhatWillNeverComeIsNotWaitedForByThoseThatCanGoOn) {
  WaitGraph g;
  const auto a = g.add(Needs::all), never = g.add(Needs::more), b = g.add(Needs::nothing);
  g.wait(a, never, 1);
  g.wait(never, b, 2);
  EXPECT_EQ(g.stuck(), std::vector<bool>({true, true, false}));
  EXPECT_TRUE(g.circles().empty());
  g.set(b, Needs::all);
  g.wait(b, a, 3);
  EXPECT_EQ(labels(g), (Labels{{1, 2, 3}}));
}

TEST(WaitGraph, TwoKnotsAreTwoCirclesAndWhoWaitsForBothIsNone) {
  WaitGraph g;
  const auto a = g.add(Needs::all), b = g.add(Needs::all), c = g.add(Needs::all), d = g.add(Needs::all);
  g.wait(a, a, 1);
  g.wait(b, b, 2);
  g.wait(c, d, 3);
  g.wait(d, c, 4);
  g.wait(c, a, 5);
  g.wait(d, b, 6);
  EXPECT_EQ(labels(g), (Labels{{1}, {2}}));
}

} // namespace
} // namespace fletcher::waiting
