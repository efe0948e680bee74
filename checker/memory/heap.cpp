// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/heap.hpp"

#include <algorithm>
#include <utility>

namespace fletcher::memory {

std::byte* Heap::take_pages(std::size_t count, Kind kind) noexcept {
  const std::size_t first = pages_.fetch_add(count, std::memory_order_relaxed);
  if (first + count > kinds_.capacity()) {
    pages_.fetch_sub(count, std::memory_order_relaxed);
    return nullptr;
  }
  // Pages of small blocks are asked for by any address in them, a large block by its first one only.
  const std::size_t marked = kind.size_class < small_classes ? count : 1;
  std::fill_n(&kinds_[first], marked, kind);
  return memory_.data() + first * page;
}

void* Heap::allocate(std::size_t size, std::size_t alignment, std::size_t shard) noexcept {
  if (alignment > page || !ok()) return nullptr;
  // Blocks of a power of two are aligned to their size: their pages begin at a multiple of it.
  if (alignment > 16) size = std::bit_ceil(std::max(size, alignment));
  if (size > memory_.size()) return nullptr;
  const std::size_t size_class = SizeClass::of(size);
  if (size_class >= small_classes) return allocate_large(size_class);
  const std::size_t index = shard % shards;
  const SpinGuard guard(shards_[index].lock);
  Blocks& blocks = shards_[index].of[size_class];
  if (blocks.free != nullptr) {
    blocks.foreign -= blocks.foreign > 0 ? 1 : 0;
    return std::exchange(blocks.free, blocks.free->next);
  }
  const std::size_t bytes = SizeClass::size(size_class);
  if (static_cast<std::size_t>(blocks.end - blocks.fresh) < bytes) {
    const Kind kind{static_cast<std::uint8_t>(size_class), static_cast<std::uint8_t>(index)};
    std::byte* const pages = take_pages(pages_at_once, kind);
    if (pages == nullptr) return nullptr;
    blocks.fresh = pages;
    blocks.end = pages + pages_at_once * page;
  }
  return std::exchange(blocks.fresh, blocks.fresh + bytes);
}

void* Heap::allocate_large(std::size_t size_class) noexcept {
  {
    const SpinGuard guard(large_lock_);
    Free*& first = large_[size_class];
    if (first != nullptr) return std::exchange(first, first->next);
  }
  const std::size_t pages = (SizeClass::size(size_class) + page - 1) / page;
  return take_pages(pages, {static_cast<std::uint8_t>(size_class), 0});
}

void Heap::free(void* block, std::size_t shard) noexcept {
  const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(block) - memory_.data());
  const Kind kind = kinds_[offset / page];
  if (kind.size_class < small_classes) {
    const std::size_t here = shard % shards;
    if (here == kind.shard || !keep(block, kind.size_class, here)) give(block, kind);
    return;
  }
  memory_.discard(offset + page, SizeClass::size(kind.size_class) - page); // except for the link
  auto* const freed = static_cast<Free*>(block);
  const SpinGuard guard(large_lock_);
  freed->next = std::exchange(large_[kind.size_class], freed);
}

bool Heap::keep(void* block, std::size_t size_class, std::size_t shard) noexcept {
  const SpinGuard guard(shards_[shard].lock);
  Blocks& blocks = shards_[shard].of[size_class];
  if (blocks.foreign == most_foreign) return false;
  ++blocks.foreign;
  blocks.put(static_cast<Free*>(block));
  return true;
}

void Heap::give(void* block, Kind kind) noexcept {
  const SpinGuard guard(shards_[kind.shard].lock);
  shards_[kind.shard].of[kind.size_class].put(static_cast<Free*>(block));
}

void Heap::lock() noexcept {
  for (Shard& shard : shards_) shard.lock.lock();
  large_lock_.lock();
}

void Heap::unlock() noexcept {
  large_lock_.unlock();
  for (Shard& shard : shards_) shard.lock.unlock();
}

} // namespace fletcher::memory
