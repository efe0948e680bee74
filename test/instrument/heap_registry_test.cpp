// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry of heap blocks: what it answers about addresses inside, between and beyond blocks, small and large,
// alive and ended. The addresses are made up: the registry never looks at the blocks themselves.

#include "lib/interpose/memory/heap_registry.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace {

using namespace fletcher;
using interpose::HeapBlock;
namespace heap = interpose::heap;

constexpr std::size_t megabyte = 1 << 20;

/// A part of the address space for each test.
Address region() {
  static Address next = 0x5000'0000'0000;
  return next += 64 * megabyte;
}

HeapBlock block(Address base, std::size_t size, std::uint32_t origin, std::uint32_t thread = 3) {
  return {base, size, ContextId{origin}, ThreadId{thread}, origin % 2 == 0};
}

void expect_block(Address address, const HeapBlock& expected) {
  const auto found = heap::find(address);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->base, expected.base);
  EXPECT_EQ(found->size, expected.size);
  EXPECT_EQ(found->origin, expected.origin);
  EXPECT_EQ(found->thread, expected.thread);
  EXPECT_EQ(found->serial, expected.serial);
}

TEST(HeapRegistry, FindsTheBlockThatHoldsAnAddress) {
  const Address at = region();
  const HeapBlock first = block(at, 24, 1), second = block(at + 32, 100'000, 2);
  EXPECT_FALSE(heap::find(at).has_value());
  heap::born(first);
  heap::born(second);
  expect_block(at, first);
  expect_block(at + 23, first);
  EXPECT_FALSE(heap::find(at + 24).has_value()) << "between the two";
  expect_block(at + 32, second);
  expect_block(at + 32 + 99'999, second);
  EXPECT_FALSE(heap::find(at + 32 + 100'000).has_value());
  EXPECT_FALSE(heap::find(at - 1).has_value());
}

TEST(HeapRegistry, KeepsLargeBlocks) {
  const Address at = region();
  for (const std::size_t size : {256 * 1024 - std::size_t{1}, std::size_t{256} * 1024, 3 * megabyte}) {
    const HeapBlock large = block(at, size, 7, 9);
    heap::born(large);
    expect_block(at, large);
    expect_block(at + size / 2, large);
    expect_block(at + size - 1, large);
    EXPECT_FALSE(heap::find(at + size).has_value());
    EXPECT_EQ(heap::died(at), size);
    EXPECT_EQ(heap::died(at), std::nullopt) << "it is over";
  }
}

TEST(HeapRegistry, FindsBlocksAcrossItsChunks) {
  const Address at = region() + megabyte - 64;
  const HeapBlock across = block(at, 200'000, 5);
  heap::born(across);
  expect_block(at + 100, across);
  expect_block(at + 199'999, across);
}

TEST(HeapRegistry, RemembersTheLastOwnerOfFreeMemory) {
  const Address at = region();
  const HeapBlock old = block(at, 500, 1), small = block(at + 64, 16, 2);
  heap::born(old);
  EXPECT_EQ(heap::died(at), 500U);
  expect_block(at + 300, old);
  heap::born(small); // within the old one's place
  expect_block(at + 70, small);
  EXPECT_EQ(heap::died(at + 64), 16U);
  const HeapBlock over = block(at, 400, 3); // over both
  heap::born(over);
  expect_block(at + 70, over);
}

TEST(HeapRegistry, FindsBlocksInThePoolsOfTheRuntime) {
  const Address at = region();
  const HeapBlock pool{at, 2 * megabyte, ContextId::none, ThreadId::none},
      big = block(at + 3 * megabyte / 2, 300'000, 1), first = block(at + megabyte + 8, 40, 3),
      second = block(at + megabyte + 8 + 48, 24, 5);
  for (const HeapBlock& one : {pool, big, first, second}) heap::born(one);
  EXPECT_EQ(heap::find(at + 8)->thread, ThreadId::none);
  expect_block(at + 3 * megabyte / 2 + 400, big);
  EXPECT_EQ(heap::find(at + megabyte)->base, at) << "the first half of the granule in which a block begins";
  expect_block(at + megabyte + 8, first);
  expect_block(at + megabyte + 47, first);
  EXPECT_EQ(heap::find(at + megabyte + 48)->base, at);
  expect_block(at + megabyte + 56, second);
  EXPECT_EQ(heap::died(first.base), 40U);
  EXPECT_EQ(heap::find(at + megabyte + 8)->base, at) << "the pool's again";
  expect_block(at + megabyte + 56 + 23, second);
}

TEST(HeapRegistry, KnowsNothingOfWhatItWasNotTold) {
  EXPECT_EQ(heap::died(region()), std::nullopt);
  EXPECT_FALSE(heap::find(~Address{0}).has_value());
  EXPECT_FALSE(heap::find(0).has_value());
  heap::born(block(~Address{0} - 15, 8, 1)); // no address of a program: ignored
}

TEST(HeapRegistry, IsUsedByManyThreads) {
  const Address at = region();
  const auto work = [at](unsigned thread) {
    for (unsigned i = 0; i < 2000; ++i) {
      const std::size_t size = i % 10 == 0 ? 300'000 : 48;
      const Address base = at + thread * 16 * megabyte + (i % 16) * 512 * 1024;
      heap::born(block(base, size, thread + 1, thread));
      const auto found = heap::find(base + 40);
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->base, base);
      EXPECT_EQ(heap::died(base), size);
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
}

} // namespace
