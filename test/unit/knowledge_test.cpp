// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Knowledge against maps: whatever is shared between copies, each says what a plain vector clock would.
#include "checker/order/knowledge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace fletcher::order {
namespace {

struct Plain {
  std::map<std::uint32_t, std::uint32_t> order, observed;
  static void raise(std::map<std::uint32_t, std::uint32_t>& in, std::uint32_t chain, std::uint32_t strand) {
    in[chain] = std::max(in[chain], strand);
  }
  /// What comes before in this run, for whichever reason.
  std::map<std::uint32_t, std::uint32_t> in_run() const {
    std::map<std::uint32_t, std::uint32_t> all = order;
    for (const auto& [chain, strand] : observed) raise(all, chain, strand);
    return all;
  }
  static bool has(std::map<std::uint32_t, std::uint32_t> in, const std::map<std::uint32_t, std::uint32_t>& all) {
    return std::ranges::all_of(all, [&](const auto& entry) { return in[entry.first] >= entry.second; });
  }
};

TEST(Knowledge, SaysWhatPlainClocksSay) {
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  constexpr std::uint32_t chains = 40;
  std::vector<Knowledge> all(8);
  std::vector<Plain> plain(all.size());
  for (int step = 0; step < 20'000; ++step) {
    const std::uint32_t a = below(8), b = below(8), chain = below(chains) + 1, strand = below(1000) + 1;
    switch (below(6)) {
    case 0:
      all[a].raise(ChainId{chain}, StrandId{strand});
      Plain::raise(plain[a].order, chain, strand);
      break;
    case 1: {
      if (!all[a].join(all[b])) {
        EXPECT_TRUE(Plain::has(plain[a].order, plain[b].order)) << "step " << step;
        EXPECT_TRUE(Plain::has(plain[a].in_run(), plain[b].in_run())) << "step " << step;
      }
      for (const auto& [c, s] : plain[b].order) Plain::raise(plain[a].order, c, s);
      for (const auto& [c, s] : Plain(plain[b]).observed) Plain::raise(plain[a].observed, c, s);
      break;
    }
    case 2: {
      const Plain other = plain[b];
      all[a].observe(Knowledge(all[b]));
      for (const auto& [c, s] : other.order) Plain::raise(plain[a].observed, c, s);
      for (const auto& [c, s] : other.observed) Plain::raise(plain[a].observed, c, s);
      break;
    }
    case 3: { // a strand of a chain of the task's own, later than all that is known of it
      const std::uint32_t later = number(all[b].get(ChainId{chain})) + 1;
      all[a] = all[b].with(ChainId{chain}, StrandId{later});
      plain[a] = plain[b];
      Plain::raise(plain[a].order, chain, later);
      break;
    }
    case 4:
      all[a] = all[b];
      plain[a] = plain[b];
      break;
    case 5:
      if (below(20) == 0) all[a].clear(), plain[a] = {};
      break;
    }
    const ChainId asked{below(chains) + 1};
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(number(all[i].get(asked)), plain[i].order[number(asked)]) << "step " << step;
      ASSERT_EQ(number(std::max(all[i].get(asked), all[i].get_observed(asked))), plain[i].in_run()[number(asked)])
          << "step " << step;
    }
  }
}

} // namespace
} // namespace fletcher::order
