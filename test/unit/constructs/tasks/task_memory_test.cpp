// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of tasks: slots that move between threads, the table of serials, and what goes back to the system.
#include "checker/constructs/dependences/depend_lists.hpp"
#include "checker/constructs/tasks/task_table.hpp"
#include "checker/memory/pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sys/mman.h>
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

TEST(Pool, GivesBackWhatLiesTogetherWhileOtherSlotsAreInUse) {
  constexpr std::size_t in_use = 200'000, mixed = 5'000, kept_from = 60'000;
  const auto resident = [](const void* from, std::size_t bytes) {
    constexpr std::size_t page = 4096;
    std::vector<unsigned char> pages(bytes / page + 2);
    const auto first = reinterpret_cast<std::uintptr_t>(from) / page * page;
    EXPECT_EQ(mincore(reinterpret_cast<void*>(first), bytes, pages.data()), 0);
    return static_cast<std::size_t>(std::count_if(pages.begin(), pages.end(), [](unsigned char p) { return p & 1; })) *
           page;
  };
  Pool pool(1 << 20);
  Pool::Magazines maker, dropper;
  std::vector<unsigned*> slots;
  for (std::size_t i = 0; i < in_use; ++i) slots.push_back(static_cast<unsigned*>(pool.take(maker)));
  for (std::size_t i = kept_from; i < in_use; ++i) *slots[i] = static_cast<unsigned>(i);
  // Every hundredth of the first slots keeps its block.
  for (std::size_t i = 0; i < kept_from; ++i)
    if (i > mixed || i % 100 != 0) pool.give(dropper, slots[i]);
  EXPECT_GE(resident(slots[0], 64 * mixed), 64 * mixed);
  EXPECT_LT(resident(slots[mixed + 512], 64 * 20'000), 64u * 8'000);
  EXPECT_GE(pool.in_memory(), 64 * (in_use - kept_from));
  EXPECT_LT(pool.in_memory(), pool.footprint() - 64 * 40'000u);
  // What was given back is taken again before the pool grows, and no slot is two objects'.
  const std::size_t footprint = pool.footprint();
  std::set<unsigned*> taken(slots.begin() + kept_from, slots.end());
  for (std::size_t i = 0; i < kept_from - 1000; ++i) {
    auto* const slot = static_cast<unsigned*>(pool.take(maker));
    EXPECT_TRUE(taken.insert(slot).second);
    *slot = 0;
  }
  EXPECT_EQ(pool.footprint(), footprint);
  EXPECT_GT(pool.in_memory(), footprint - 64 * 2'000u);
  for (std::size_t i = kept_from; i < in_use; ++i) EXPECT_EQ(*slots[i], i);
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
  const memory::Arena arena;
  constructs::TaskTable table(arena);
  constructs::TaskTable::Tally one, other;
  const auto task = [&](std::uint32_t i) { return memory::Arena::at<constructs::Task>(arena.base(), i); };
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

TEST(Arena, PartsDoNotOverlapAndAreNamedByOffsets) {
  memory::Arena arena;
  Pool one(arena.part(64 * 64)), other(arena.part(64 * 64));
  Pool::Magazines mine, its;
  std::set<std::uint32_t> offsets;
  for (int i = 0; i < 64; ++i)
    for (void* const slot : {one.take(mine), other.take(its)}) {
      offsets.insert(memory::Arena::offset_of(slot));
      EXPECT_EQ(memory::Arena::at<void>(arena.base(), memory::Arena::offset_of(slot)), slot);
    }
  EXPECT_EQ(offsets.size(), 128u);
  EXPECT_FALSE(offsets.contains(0));
  EXPECT_EQ(one.take(mine), nullptr);
}

TEST(DependLists, KeepWhatTheyWereGivenWhateverTheLength) {
  memory::Arena arena;
  memory::Pool<16> neighbours(arena.part(16 * 64));
  memory::Pool<16>::Magazines slots;
  auto* const list = std::construct_at(static_cast<constructs::DependList*>(neighbours.take(slots)));
  constructs::DependLists lists(arena, 1000);
  constructs::DependLists::Magazines mine;
  EXPECT_TRUE(list->empty());
  EXPECT_TRUE(list->items().empty());
  EXPECT_TRUE(list->predecessors().empty());
  for (const std::size_t items : {1, 2, 3, 5, 7, 8, 254, 255, 1000})
    for (const std::size_t predecessors : {0, 1, 2, 3, 300}) {
      std::vector<Dependence> given;
      for (std::size_t i = 0; i < items; ++i)
        given.push_back({(Address{1} << 55) + i, static_cast<DependenceType>(i % 5), i % 3 == 0, i % 2 == 0});
      std::vector<constructs::Task*> before;
      for (std::size_t i = 0; i < predecessors; ++i)
        before.push_back(memory::Arena::at<constructs::Task>(arena.base(), static_cast<std::uint32_t>(i + 1)));
      lists.make(mine, *list, given, before);
      ASSERT_EQ(list->items().size(), items);
      for (std::size_t i = 0; i < items; ++i) {
        const Dependence d = list->items()[i];
        EXPECT_EQ(d.address, given[i].address);
        EXPECT_EQ(d.type, given[i].type);
        EXPECT_EQ(d.all_memory, given[i].all_memory);
        EXPECT_EQ(d.permanent, given[i].permanent);
      }
      const auto kept = list->predecessors();
      EXPECT_EQ(std::vector<constructs::Task*>(kept.begin(), kept.end()), before);
      lists.free(mine, *list);
      EXPECT_TRUE(list->empty());
    }
}

} // namespace
} // namespace fletcher
