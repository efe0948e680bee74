// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Knowledge against maps: whatever is shared between copies, each says what a plain vector clock would.
#include "checker/order/knowledge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <utility>
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
  struct Lock {
    Observed told;
    Plain plain;
    std::uint32_t turn = 0;
    std::array<std::uint32_t, 8> taken{}; ///< by whom, at which turn: nothing that it told is forgotten since
  };
  std::array<Lock, 3> locks;
  const auto forget = [&](std::uint32_t a) {
    for (Lock& lock : locks) lock.taken[a] = ~0u;
  };
  for (std::uint32_t a = 0; a < 8; ++a) forget(a);
  for (int step = 0; step < 20'000; ++step) {
    const std::uint32_t a = below(8), b = below(8), chain = below(chains) + 1, strand = below(1000) + 1;
    switch (below(7)) {
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
      Lock& lock = locks[below(3)];
      if (below(3) == 0) { // whoever comes after the last holder anyway learns nothing of the lock
        for (const auto& [c, s] : lock.plain.order) {
          all[a].raise(ChainId{c}, StrandId{s});
          Plain::raise(plain[a].order, c, s);
        }
      } else {
        all[a].observe(lock.told);
        for (const auto& [c, s] : lock.plain.order) Plain::raise(plain[a].observed, c, s);
      }
      lock.taken[a] = lock.turn;
      break;
    }
    case 6: { // whoever did not take the lock last lets it tell more, no less
      const std::size_t l = below(3);
      Lock& lock = locks[l];
      const LockRelease release{static_cast<std::uint32_t>(l) + 1, ++lock.turn};
      const bool taken = lock.taken[a] == release.turn - 1;
      Observed told = taken ? all[a].told(release, ChainId{chain}, StrandId{strand}, lock.told)
                            : all[a].told(LockRelease{}, ChainId{chain}, StrandId{strand});
      if (!taken) {
        told.join(lock.told);
        told.be_of(release);
      }
      lock.told = std::move(told);
      for (const auto& [c, s] : plain[a].in_run()) Plain::raise(lock.plain.order, c, s);
      Plain::raise(lock.plain.order, chain, strand);
      break;
    }
    case 3: { // a strand of a chain of the task's own, later than all that is known of it
      const std::uint32_t later = number(all[b].get(ChainId{chain})) + 1;
      if (below(2) == 0)
        all[a] = all[b].with(ChainId{chain}, StrandId{later});
      else
        all[a].become(all[b], ChainId{chain}, StrandId{later});
      plain[a] = plain[b];
      Plain::raise(plain[a].order, chain, later);
      forget(a);
      break;
    }
    case 4:
      all[a] = all[b];
      plain[a] = plain[b];
      forget(a);
      break;
    case 5:
      if (below(20) == 0) all[a].clear(), plain[a] = {}, forget(a);
      break;
    }
    const ChainId asked{below(chains) + 1};
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(number(all[i].get(asked)), plain[i].order[number(asked)]) << "step " << step;
      ASSERT_EQ(number(std::max(all[i].get(asked), all[i].get_observed(asked))), plain[i].in_run()[number(asked)])
          << "step " << step;
    }
    for (Lock& lock : locks)
      ASSERT_EQ(number(lock.told.get(asked)), lock.plain.order[number(asked)]) << "step " << step;
  }
}

// Threads take turns of tasks: a task finds what those before it on the thread have left, and leaves what it knows.
TEST(Knowledge, WhatTasksLeaveInTheirThreadsMemoryIsAllThatTheyKnow) {
  std::mt19937 random(2);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  constexpr std::uint32_t chains = 40;
  using Entries = std::map<std::uint32_t, std::uint32_t>;
  struct Model {
    Knowledge known;
    Entries order, passed;
  };
  struct Thread {
    Observed told;
    Entries entries;
    std::uint32_t turn = 0;
  };
  std::vector<Model> tasks(8);
  std::array<Thread, 2> threads;
  const auto raise = [](Entries& in, const Entries& by) {
    for (const auto& [chain, strand] : by) Plain::raise(in, chain, strand);
  };
  for (int step = 0; step < 20'000; ++step) {
    Model &task = tasks[below(8)], &other = tasks[below(8)];
    const std::uint32_t chain = below(chains) + 1, strand = below(1000) + 1, t = below(2);
    switch (below(5)) {
    case 0:
      task.known.raise(ChainId{chain}, StrandId{strand});
      Plain::raise(task.order, chain, strand);
      break;
    case 1:
      task.known.join(other.known);
      raise(task.order, Entries(other.order));
      raise(task.passed, Entries(other.passed));
      break;
    case 2: { // a strand of a chain of the task's own, later than all that is known of it
      const std::uint32_t later = number(other.known.get(ChainId{chain})) + 1;
      const Model creator = other;
      task.known = other.known.with(ChainId{chain}, StrandId{later});
      task.order = creator.order;
      task.passed = creator.passed;
      Plain::raise(task.order, chain, later);
      break;
    }
    case 3: {
      Thread& own = threads[t];
      task.known.find(own.told);
      raise(task.passed, own.entries);
      if (below(2) == 0) { // it learns more before it leaves
        task.known.raise(ChainId{chain}, StrandId{strand});
        Plain::raise(task.order, chain, strand);
      }
      own.told = task.known.left_by({t + 1, ++own.turn}, ChainId{chain}, StrandId{strand}, own.told);
      raise(own.entries, task.order);
      raise(own.entries, task.passed);
      Plain::raise(own.entries, chain, strand);
      break;
    }
    case 4:
      if (below(20) == 0) task = {};
      break;
    }
    const ChainId asked{below(chains) + 1};
    for (Model& each : tasks) {
      ASSERT_EQ(number(each.known.get(asked)), each.order[number(asked)]) << "step " << step;
      // What is guaranteed need not be said once more.
      ASSERT_EQ(std::max(number(each.known.get_passed(asked)), each.order[number(asked)]),
                std::max(each.passed[number(asked)], each.order[number(asked)]))
          << "step " << step;
    }
    for (Thread& own : threads) ASSERT_EQ(number(own.told.get(asked)), own.entries[number(asked)]) << "step " << step;
  }
}

TEST(Observed, WhatATaskHasLearnedSinceItLetGoIsToldTheNextTime) {
  Knowledge task;
  for (const std::uint32_t chain : {1U, 2U}) task.raise(ChainId{chain}, StrandId{5});
  Observed carried;
  for (std::uint32_t turn = 1; turn < 5; ++turn) {
    const Observed told = task.told({1, turn}, ChainId::none, StrandId::none, carried);
    carried = told;
    for (std::uint32_t chain = 1; chain <= 2 * turn; ++chain) EXPECT_EQ(told.get(ChainId{chain}), StrandId{5}) << chain;
    task.observe(told);
    for (const std::uint32_t chain : {2 * turn + 1, 2 * turn + 2}) task.raise(ChainId{chain}, StrandId{5});
  }
}

TEST(Observed, OfOneLockALaterReleaseTakesThePlaceOfAnEarlierOne) {
  constexpr ChainId one{1}, two{2}, three{3};
  const Observed first = Knowledge().told({1, 1}, one, StrandId{5});
  Knowledge holder;
  holder.observe(first);
  const Observed second = holder.told({1, 2}, two, StrandId{7});
  Observed task = first;
  EXPECT_TRUE(task.join(second));
  EXPECT_EQ(task, second) << "nothing has been made";
  EXPECT_FALSE(task.join(first));
  EXPECT_EQ(task, second);

  EXPECT_TRUE(task.join(Knowledge().told({2, 9}, three, StrandId{4})));
  EXPECT_NE(task, second);
  EXPECT_EQ(second.get(three), StrandId::none) << "what others hold stays the same";
  for (const auto& [chain, strand] : {std::pair{one, 5U}, {two, 7U}, {three, 4U}})
    EXPECT_EQ(number(task.get(chain)), strand);
  EXPECT_FALSE(task.join(second));
}

} // namespace
} // namespace fletcher::order
