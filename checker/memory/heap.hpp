// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A heap apart from the program's, for what the checker keeps: a program that destroys its own heap must not take the
// findings about that with it. Segregated free lists in one reserved range (Wilson et al., Dynamic Storage Allocation,
// 1995), in shards, so that threads seldom wait for each other. Relies on reserved.hpp and spin_lock.hpp.
#pragma once

#include "checker/memory/reserved.hpp"
#include "checker/memory/spin_lock.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace fletcher::memory {

/// The classes of sizes: to 128 bytes one for each 16, above that four for each power of two.
struct SizeClass {
  static constexpr std::size_t of(std::size_t size) noexcept {
    if (size <= 128) return size == 0 ? 0 : (size - 1) / 16;
    const auto bits = static_cast<std::size_t>(std::bit_width(size - 1));
    return 8 + (bits - 8) * 4 + ((size - 1) >> (bits - 3)) % 4;
  }
  /// The largest size of a class: that of its blocks.
  static constexpr std::size_t size(std::size_t index) noexcept {
    if (index < 8) return 16 * (index + 1);
    const std::size_t bits = (index - 8) / 4 + 8;
    return (std::size_t{5} + (index - 8) % 4) << (bits - 3);
  }
};

/// Thread-safe. Allocating and freeing are O(1). Blocks above a page give their memory back to the system when freed,
/// smaller ones are used again: a few by the shard that frees them, those beyond by the one that made them, so that
/// threads which free what others made neither meet those at each block nor hoard them.
class Heap {
public:
  static constexpr std::size_t page = 4096, shards = 8;

  /// Reserves so much address space, of which only what is used costs memory.
  explicit Heap(std::size_t bytes) noexcept : memory_(bytes), kinds_(bytes / page) {}
  bool ok() const noexcept { return memory_.data() != nullptr && kinds_; }
  const std::byte* begin() const noexcept { return memory_.data(); }

  /// From the shard with this number (modulo `shards`). Null: nothing is left, or the alignment is above a page.
  void* allocate(std::size_t size, std::size_t alignment, std::size_t shard) noexcept;
  /// Of a block of this heap, whichever shard it is from.
  void free(void* block, std::size_t shard) noexcept;

  /// Around fork(): no thread of the parent holds a lock in the child.
  void lock() noexcept;
  void unlock() noexcept;

private:
  static constexpr std::size_t small_classes = SizeClass::of(page) + 1, classes = SizeClass::of(std::size_t{1} << 47);
  static constexpr std::size_t pages_at_once = 4; ///< for blocks of one small class
  static constexpr std::uint32_t most_foreign = 64;

  struct Free {
    Free* next;
  };
  struct Blocks {
    Free* free = nullptr;
    std::uint32_t foreign = 0;                  ///< so many of them, or fewer, are from other shards
    std::byte *fresh = nullptr, *end = nullptr; ///< never used yet
    void put(Free* freed) noexcept { freed->next = std::exchange(free, freed); }
  };
  struct alignas(64) Shard {
    SpinLock lock;
    std::array<Blocks, small_classes> of;
  };
  /// What a page, or the first one of a large block, holds.
  struct Kind {
    std::uint8_t size_class, shard;
  };

  /// Takes it in, as long as few are from other shards.
  bool keep(void* block, std::size_t size_class, std::size_t shard) noexcept;
  /// Back to where it is from.
  void give(void* block, Kind kind) noexcept;
  std::byte* take_pages(std::size_t count, Kind kind) noexcept;
  void* allocate_large(std::size_t size_class) noexcept;

  Reservation memory_;
  ReservedArray<Kind> kinds_;
  std::atomic<std::size_t> pages_{0}; ///< in use or freed
  std::array<Shard, shards> shards_;
  SpinLock large_lock_;
  std::array<Free*, classes> large_{};
};

static_assert(SizeClass::of(1) == 0 && SizeClass::of(128) == 7 && SizeClass::of(129) == 8 && SizeClass::size(8) == 160);
static_assert(SizeClass::size(SizeClass::of(4096)) == 4096 && SizeClass::size(SizeClass::of(4097)) == 5120);

} // namespace fletcher::memory
