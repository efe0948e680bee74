// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which edges of a lock-order graph can be on a cycle, compared with the graph's transitive closure, edge after edge.
#include "checker/graph/lock_order_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <random>
#include <utility>
#include <vector>

namespace fletcher::test {
namespace {

constexpr unsigned locks = 24;

class LockOrders : public testing::TestWithParam<int> {
protected:
  void add(unsigned held, unsigned wanted) {
    graph_.add(held, wanted);
    edges_.emplace_back(held, wanted);
  }
  void remove(unsigned lock) {
    graph_.remove(lock);
    std::erase_if(edges_, [&](const auto& edge) { return edge.first == lock || edge.second == lock; });
  }
  /// What can be reached from each lock.
  std::vector<std::bitset<locks>> closure() const {
    std::vector<std::bitset<locks>> result(locks);
    for (const auto& [held, wanted] : edges_) result[held].set(wanted);
    for (unsigned via = 0; via < locks; ++via)
      for (auto& reached : result)
        if (reached.test(via)) reached |= result[via];
    return result;
  }
  unsigned any() { return std::uniform_int_distribution<unsigned>(0, locks - 1)(random_); }
  std::mt19937 random_{static_cast<unsigned>(GetParam())};
  graph::LockOrderGraph graph_;
  std::vector<std::pair<unsigned, unsigned>> edges_;
};

TEST_P(LockOrders, EdgesOnCyclesAreKnown) {
  const bool ascending = GetParam() % 4 == 0; // no cycle but by the few edges against the order
  for (int step = 0; step < 90; ++step) {
    unsigned held = any(), wanted = any();
    if (ascending && held > wanted && step % 40 != 39) std::swap(held, wanted);
    add(held, wanted);
    const auto reached = closure();
    for (const auto& [from, to] : edges_)
      ASSERT_EQ(graph_.may_be_on_cycle(from, to), reached[to].test(from) || from == to);
  }
}

TEST_P(LockOrders, NoCycleIsMissedAfterLocksWereRemoved) {
  for (int step = 0; step < 200; ++step) {
    if (any() % 6 == 0)
      remove(any());
    else
      add(any(), any());
    const auto reached = closure();
    for (const auto& [from, to] : edges_) ASSERT_TRUE(graph_.may_be_on_cycle(from, to) || !reached[to].test(from));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, LockOrders, testing::Range(0, 40));

} // namespace
} // namespace fletcher::test
