// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared-structure clock against the plain map that it stands for.
#include "checker/order/clock.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

namespace fletcher::order {
namespace {

using Plain = std::map<std::uint32_t, std::uint32_t>;

void expect_same(const Clock& clock, const Plain& plain, const std::vector<std::uint32_t>& chains) {
  for (const std::uint32_t c : chains) {
    const auto at = plain.find(c);
    ASSERT_EQ(number(clock.get(ChainId{c})), at == plain.end() ? 0 : at->second) << "chain " << c;
  }
}

TEST(Clock, AnswersLikeAMapUnderRandomOperations) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::vector<std::uint32_t> chains{1,   2,    3,    15,    16,       17,          255,
                                    256, 4095, 4096, 65535, 1u << 20, 0xffffffffu, 0xfffffff0u};
  for (int i = 0; i < 40; ++i) chains.push_back(static_cast<std::uint32_t>(random()) >> (random() % 30));
  std::erase(chains, 0u);
  std::vector<Clock> clocks(8);
  std::vector<Plain> plain(8);
  for (int step = 0; step < 20000; ++step) {
    const std::size_t a = random() % clocks.size(), b = random() % clocks.size();
    switch (random() % 8) {
    case 0:
      clocks[a] = clocks[b];
      plain[a] = plain[b];
      break;
    case 1:
      clocks[a].join(clocks[b]);
      for (const auto& [c, s] : plain[b]) plain[a][c] = std::max(plain[a][c], s);
      break;
    case 2:
      if (random() % 20 == 0) {
        clocks[a].clear();
        plain[a].clear();
      }
      break;
    default: {
      const std::uint32_t c = chains[random() % chains.size()], s = 1 + static_cast<std::uint32_t>(random()) % 1000;
      clocks[a].raise(ChainId{c}, StrandId{s});
      plain[a][c] = std::max(plain[a][c], s);
    }
    }
    if (step % 100 == 0) expect_same(clocks[a], plain[a], chains);
    if (clocks[a].covers(clocks[b])) {
      for (const auto& [c, s] : plain[b]) ASSERT_GE(plain[a][c], s) << "chain " << c << ", step " << step;
    }
  }
  for (std::size_t i = 0; i < clocks.size(); ++i) expect_same(clocks[i], plain[i], chains);
}

TEST(Clock, CoversWhatItWasMadeFrom) {
  std::mt19937 random(1);
  Clock clock;
  for (int step = 0; step < 2000; ++step) {
    const Clock before = clock;
    const ChainId chain{1 + static_cast<std::uint32_t>(random()) % (1u << (step % 20))};
    const StrandId later{number(clock.get(chain)) + 1};
    clock.raise(chain, later);
    EXPECT_TRUE(clock.covers(before)) << step;
    EXPECT_FALSE(before.covers(clock)) << step;
    EXPECT_TRUE(clock.covers(clock)) << step;
  }
  EXPECT_TRUE(clock.covers(Clock()));
  EXPECT_FALSE(Clock().covers(clock));
}

TEST(Clock, ForgetsFreeChainsInCopiesToo) {
  Clock clock;
  for (std::uint32_t chain = 64; chain < 164; ++chain) clock.raise(ChainId{chain}, StrandId{1000 + chain});
  Clock copy = clock;
  copy.raise(ChainId{70}, StrandId{5000});
  memory::RecycledIds chains;
  for (int twice = 0; twice < 2; ++twice) {
    chains.begin(64, 164);
    for (std::uint32_t chain = 65; chain < 164; chain += 2) chains.need(chain);
    chains.end(true);
  }
  clock.forget(chains, 1);
  copy.forget(chains, 1);
  for (std::uint32_t chain = 64; chain < 164; ++chain) {
    const StrandId known = chain % 2 == 0 ? StrandId::none : StrandId{1000 + chain};
    EXPECT_EQ(clock.get(ChainId{chain}), known) << chain;
    EXPECT_EQ(copy.get(ChainId{chain}), known) << chain;
  }
}

} // namespace
} // namespace fletcher::order
