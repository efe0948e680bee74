// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ended tasks know, gathered by thread, is what joining all of it says.
#include "checker/order/gathered.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace fletcher::order {
namespace {

constexpr std::uint32_t chains = 60;

void expect_equal(const Knowledge& gathered, const Knowledge& joined, int step) {
  for (std::uint32_t c = 1; c <= chains; ++c) {
    EXPECT_EQ(gathered.get(ChainId{c}), joined.get(ChainId{c})) << "step " << step;
    EXPECT_EQ(gathered.get_observed(ChainId{c}), joined.get_observed(ChainId{c})) << "step " << step;
    EXPECT_EQ(gathered.get_passed(ChainId{c}), joined.get_passed(ChainId{c})) << "step " << step;
  }
}

// Tasks of three threads, some of which create others, and some of which take a lock.
TEST(Gathered, SaysWhatJoiningAllSays) {
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  struct Thread {
    Observed told;
    std::uint32_t turn = 0;
  };
  std::array<Thread, 3> threads;
  Observed lock;
  std::uint32_t releases = 0;
  std::vector<Knowledge> creators(4);
  Gathered gathered;
  Knowledge joined;
  for (int step = 1; step <= 3000; ++step) {
    Knowledge known = creators[below(4)];
    const std::uint32_t on = below(3);
    Thread& thread = threads[on];
    known.find(thread.told);
    if (below(20) == 0) known.observe(lock);
    const ChainId chain{below(chains) + 1};
    const StrandId strand{static_cast<std::uint32_t>(step)};
    if (below(10) == 0) known.raise(ChainId{below(chains) + 1}, strand);
    if (below(20) == 0) lock = known.told({9, ++releases}, chain, strand, lock);
    thread.told = known.left_by({on + 1, ++thread.turn}, chain, strand, thread.told);
    gathered.add(known);
    joined.join(known);
    if (below(10) == 0) creators[below(4)] = known.with(chain, strand);
    if (below(50) != 0) continue;
    Gathered more;
    more.add(gathered);
    EXPECT_TRUE(gathered.empty());
    expect_equal(more.take(), joined, step);
    EXPECT_TRUE(more.empty());
    joined.clear();
  }
}

TEST(Gathered, OfTwoAllIsInOne) {
  Knowledge first, second, joined;
  first.find(Knowledge().left_by({1, 1}, ChainId{1}, StrandId{10}));
  second.find(Knowledge().left_by({2, 1}, ChainId{2}, StrandId{20}));
  second.raise(ChainId{3}, StrandId{30});
  Gathered one, other;
  one.add(first);
  other.add(second);
  one.add(other);
  EXPECT_TRUE(other.empty());
  joined.join(first);
  joined.join(second);
  expect_equal(one.take(), joined, 0);
}

} // namespace
} // namespace fletcher::order
