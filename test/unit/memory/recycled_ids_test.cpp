// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids that are given out again once two sweeps have found that nobody needs them.
#include "checker/memory/recycled_ids.hpp"

#include <gtest/gtest.h>

#include <set>

namespace fletcher::memory {
namespace {

/// [100, 300) were given out; those of `needed` are needed.
void sweep(RecycledIds& ids, const std::set<std::uint32_t>& needed, bool certain = true) {
  ids.begin(100, 300);
  for (const std::uint32_t id : needed) ids.need(id);
  ids.end(certain);
  ids.open();
}

std::set<std::uint32_t> take_all(RecycledIds& ids) {
  std::set<std::uint32_t> taken;
  for (auto run = ids.take(64); !run.empty(); run = ids.take(64))
    for (std::uint32_t id = run.first; id < run.end; ++id) EXPECT_TRUE(taken.insert(id).second) << id;
  return taken;
}

TEST(RecycledIds, AreThoseThatTwoSweepsFindUnneeded) {
  RecycledIds ids;
  sweep(ids, {});
  EXPECT_TRUE(take_all(ids).empty()) << "a thread may have one in a register";
  sweep(ids, {100, 163, 164, 299});
  const std::set<std::uint32_t> taken = take_all(ids);
  EXPECT_EQ(taken.size(), 196U);
  EXPECT_EQ(*taken.begin(), 101U);
  EXPECT_EQ(*taken.rbegin(), 298U);
  EXPECT_FALSE(taken.contains(163) || taken.contains(164));
  EXPECT_FALSE(ids.any());
}

TEST(RecycledIds, AnUncertainSweepFreesNothingNewAndCountsAsTheFirst) {
  RecycledIds ids;
  sweep(ids, {});
  sweep(ids, {}, false);
  EXPECT_TRUE(take_all(ids).empty());
  sweep(ids, {200});
  EXPECT_EQ(take_all(ids).size(), 199U);
}

TEST(RecycledIds, WhoeverHasTakenOneMayUseItLater) {
  RecycledIds ids;
  sweep(ids, {});
  sweep(ids, {});
  const RecycledIds::Run run = ids.take(64);
  sweep(ids, {});
  const std::set<std::uint32_t> others = take_all(ids);
  for (std::uint32_t id = run.first; id < run.end; ++id) EXPECT_FALSE(others.contains(id)) << id;
  EXPECT_EQ(others.size(), 200U - (run.end - run.first));
}

TEST(RecycledIds, RunsAreAsLongAsIsAskedFor) {
  RecycledIds ids;
  std::set<std::uint32_t> every_fourth;
  for (std::uint32_t id = 100; id < 300; id += 4) every_fourth.insert(id);
  sweep(ids, every_fourth);
  sweep(ids, every_fourth);
  EXPECT_TRUE(ids.take(64, 4).empty());
  sweep(ids, every_fourth);
  const RecycledIds::Run run = ids.take(64, 3);
  EXPECT_EQ(run.end - run.first, 3U);
  EXPECT_EQ(ids.take(2).end, run.end + 3);
}

// Then there is nothing to forget, which takes longer than to find it out.
TEST(RecycledIds, TellWhetherAnyHasBecomeFree) {
  RecycledIds ids;
  sweep(ids, {});
  EXPECT_FALSE(ids.has_freed());
  sweep(ids, {});
  EXPECT_TRUE(ids.has_freed());
  sweep(ids, {}, false);
  EXPECT_FALSE(ids.has_freed()) << "all of them were free before";
  take_all(ids);
  sweep(ids, {}, false);
  EXPECT_FALSE(ids.has_freed());
  sweep(ids, {});
  EXPECT_TRUE(ids.has_freed());
}

TEST(RecycledIds, NoneWhileASweepGoesOn) {
  RecycledIds ids;
  sweep(ids, {});
  sweep(ids, {});
  ids.begin(100, 300);
  EXPECT_TRUE(ids.take(64).empty());
  ids.end(true);
  EXPECT_TRUE(ids.is_free(100));
  EXPECT_FALSE(ids.is_free(99));
  EXPECT_TRUE(ids.take(64).empty());
  ids.open();
  EXPECT_FALSE(ids.take(64).empty());
}

} // namespace
} // namespace fletcher::memory
