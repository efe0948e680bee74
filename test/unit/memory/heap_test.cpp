// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker's own heap: blocks are distinct, aligned and used again, whoever frees them.
#include "checker/memory/heap.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace fletcher::memory {
namespace {

constexpr std::size_t room = std::size_t{1} << 30;

TEST(Heap, EverySizeHasAClassThatHoldsItAndWastesAQuarterAtMost) {
  for (std::size_t size = 1; size < (std::size_t{1} << 40); size += 1 + size / 37) {
    const std::size_t block = SizeClass::size(SizeClass::of(size));
    EXPECT_GE(block, size);
    EXPECT_LE(block, size + std::max<std::size_t>(15, size / 4)) << size;
    EXPECT_EQ(SizeClass::of(block), SizeClass::of(size)) << size;
  }
}

struct Block {
  unsigned char* at;
  std::size_t size;
  unsigned char mark;
};

/// Makes and frees blocks of all sizes; each must be as it was left.
void churn(Heap& heap, std::size_t shard, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Block> blocks;
  for (int i = 0; i < 20'000; ++i) {
    if (blocks.size() > 500 || (!blocks.empty() && random() % 3 == 0)) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      const Block last = blocks.back();
      blocks.pop_back();
      EXPECT_EQ(last.at[0], last.mark);
      EXPECT_EQ(last.at[last.size - 1], last.mark);
      heap.free(last.at, shard);
      continue;
    }
    const std::size_t size = 1 + random() % (random() % 50 == 0 ? 100'000 : 300);
    const std::size_t alignment = random() % 4 == 0 ? std::size_t{32} << random() % 8 : 16;
    const auto mark = static_cast<unsigned char>(random());
    auto* const at = static_cast<unsigned char*>(heap.allocate(size, alignment, shard));
    ASSERT_NE(at, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % alignment, 0u);
    std::memset(at, mark, size);
    blocks.push_back({at, size, mark});
  }
  for (const Block& block : blocks) heap.free(block.at, shard);
}

TEST(Heap, BlocksKeepWhatIsWrittenToThem) {
  Heap heap(room);
  churn(heap, 0, 1);
}

TEST(Heap, ThreadsMayShareAShard) {
  Heap heap(room);
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < 4; ++i) threads.emplace_back([&heap, i] { churn(heap, i % 2, i); });
}

TEST(Heap, AFreedBlockIsUsedAgain) {
  Heap heap(room);
  for (const std::size_t size : {24u, 300u, 5000u, 1'000'000u}) {
    void* const block = heap.allocate(size, 16, 1);
    heap.free(block, 1);
    EXPECT_EQ(heap.allocate(size, 16, 1), block) << size;
  }
}

TEST(Heap, WhoFreesWhatOthersMakeDoesNotHoardIt) {
  Heap heap(room);
  std::set<void*> blocks;
  for (int i = 0; i < 100'000; ++i) {
    void* const block = heap.allocate(40, 16, 1);
    blocks.insert(block);
    heap.free(block, 2);
  }
  EXPECT_LE(blocks.size(), 100u);
}

TEST(Heap, NullWhenNothingIsLeftOrCannotBeAligned) {
  Heap heap(1 << 20);
  EXPECT_EQ(heap.allocate(16, 8192, 0), nullptr);
  EXPECT_EQ(heap.allocate(std::size_t{1} << 60, 16, 0), nullptr);
  EXPECT_EQ(heap.allocate(1 << 21, 16, 0), nullptr);
  void* const most = heap.allocate(900'000, 16, 0);
  EXPECT_NE(most, nullptr);
  EXPECT_EQ(heap.allocate(900'000, 16, 0), nullptr);
  EXPECT_NE(heap.allocate(16, 16, 0), nullptr);
  heap.free(most, 0);
  EXPECT_EQ(heap.allocate(900'000, 16, 0), most);
}

} // namespace
} // namespace fletcher::memory
