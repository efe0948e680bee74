// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of tasks: slots that move between threads, the table of serials, and what goes back to the system.
#include "checker/constructs/task_table.hpp"
#include "checker/memory/pool.hpp"
#include "checker/memory/small_array.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace fletcher {
namespace {

using Pool = memory::Pool<64>;

TEST(Pool, SlotsInUseAreDistinct) {
  Pool pool(1000);
  Pool::Magazines mine;
  std::set<void*> slots;
  for (int i = 0; i < 300; ++i) slots.insert(pool.take(mine));
  EXPECT_EQ(slots.size(), 300u);
}

TEST(Pool, NullWhenAllAreInUse) {
  Pool pool(Pool::magazine_slots);
  Pool::Magazines mine;
  for (std::uint32_t i = 0; i < Pool::magazine_slots; ++i) EXPECT_NE(pool.take(mine), nullptr);
  EXPECT_EQ(pool.take(mine), nullptr);
}

TEST(Pool, OneThreadMakesAndAnotherDropsWithoutGrowth) {
  Pool pool(1 << 20);
  Pool::Magazines maker, dropper;
  for (int round = 0; round < 1000; ++round) {
    std::vector<void*> slots;
    for (int i = 0; i < 100; ++i) slots.push_back(pool.take(maker));
    for (void* slot : slots) pool.give(dropper, slot);
  }
  EXPECT_LE(pool.footprint(), 64u * 1000);
}

TEST(Pool, IsTrimmedOnlyWhenNothingIsInUse) {
  Pool pool(1 << 12);
  Pool::Magazines a, b;
  const auto trim = [&] { return pool.trim(pool.free_slots(a) + pool.free_slots(b)); };
  std::vector<void*> slots;
  for (int i = 0; i < 1000; ++i) slots.push_back(pool.take(a));
  EXPECT_FALSE(trim());
  for (std::size_t i = 1; i < slots.size(); ++i) pool.give(b, slots[i]);
  EXPECT_FALSE(trim());
  pool.give(a, slots[0]);
  EXPECT_TRUE(trim());
  EXPECT_EQ(pool.footprint(), 0u);
  EXPECT_NE(pool.take(b), nullptr);
  EXPECT_EQ(pool.footprint(), 64u * Pool::magazine_slots);
}

TEST(Pool, ThreadsTakeAndGiveAtOnce) {
  Pool pool(1 << 12);
  constexpr unsigned count = 2;
  std::vector<Pool::Magazines> magazines(count);
  std::vector<std::thread> threads;
  std::atomic<void*> handed{nullptr};
  for (unsigned t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20'000; ++i) {
        void* const slot = pool.take(magazines[t]);
        *static_cast<unsigned*>(slot) = t;
        ASSERT_EQ(*static_cast<unsigned*>(slot), t);
        if (void* const other = handed.exchange(slot)) pool.give(magazines[t], other);
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_LE(pool.footprint(), 64u * Pool::magazine_slots * 8);
}

TEST(TaskTable, FindsWhatWasEnteredUntilItIsRemoved) {
  constructs::TaskTable table;
  constructs::TaskTable::Tally one, other;
  const auto task = [](std::uintptr_t i) { return reinterpret_cast<constructs::Task*>(i * 8); };
  // Three blocks of serials: those of a block that is over are given back when its last task is removed, by anybody.
  constexpr std::uint32_t last = 3 * constructs::TaskTable::group;
  for (std::uint32_t id = 1; id < last; ++id) table.enter(one, TaskId{id}, task(id));
  for (std::uint32_t id = 1; id < last; id += 2) table.remove(other, TaskId{id});
  for (std::uint32_t id = 1; id < last; ++id) EXPECT_EQ(table.find(TaskId{id}), id % 2 == 1 ? nullptr : task(id));
  for (std::uint32_t id = 2; id < last; id += 2) table.remove(one, TaskId{id});
  for (std::uint32_t id = 1; id < last; ++id) EXPECT_EQ(table.find(TaskId{id}), nullptr);
  table.enter(one, TaskId{last}, task(1));
  int tasks = 0;
  table.each([&](const constructs::Task&) { ++tasks; });
  EXPECT_EQ(tasks, 1);
}

TEST(SmallArray, KeepsWhatItWasGiven) {
  memory::SmallArray<int> array;
  EXPECT_TRUE(array.empty());
  EXPECT_EQ(array.begin(), array.end());
  const int values[]{3, 1, 2};
  array.assign(values);
  EXPECT_EQ(std::vector<int>(array.begin(), array.end()), std::vector<int>({3, 1, 2}));
  array.clear();
  EXPECT_EQ(array.size(), 0u);
}

} // namespace
} // namespace fletcher
