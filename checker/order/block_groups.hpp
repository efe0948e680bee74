// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What blocks of strands that follow each other have in common: mostly the chain and the locks, where one thread has
// taken them all. A caller that asks for these alone finds them in a table that fits in the processor's cache where the
// blocks themselves do not. Relies on strand_block.hpp.
#pragma once

#include "checker/memory/reserved.hpp"
#include "checker/order/strand_block.hpp"

#include <atomic>
#include <cstddef>
#include <span>

namespace fletcher::order {

/// The chain of a strand, and the locks that it holds.
struct Holding {
  ChainId chain;
  LocksetId lockset;
  friend bool operator==(const Holding&, const Holding&) = default;
};

/// Thread-safe; each operation O(1), except for begin().
class BlockGroups {
public:
  explicit BlockGroups(std::uint32_t blocks) noexcept : groups_(blocks / blocks_per_group + 1) {}
  explicit operator bool() const noexcept { return static_cast<bool>(groups_); }
  std::span<const std::byte> range() const noexcept { return groups_.range(); }

  /// Somebody has taken these blocks.
  void begin(std::uint32_t first, std::uint32_t end) noexcept {
    for (std::uint32_t group = first / blocks_per_group; group * blocks_per_group < end; ++group) {
      const bool whole = group * blocks_per_group >= first && (group + 1) * blocks_per_group <= end;
      groups_[group].store(whole ? new_group : mixed_group, std::memory_order_relaxed);
    }
  }
  /// What the block `i`, which is given out now, has in common with those before it. Before anybody knows of it.
  void note(std::uint32_t i, const StrandBlock& block) noexcept {
    std::atomic<std::uint64_t>& group = groups_[i / blocks_per_group];
    const std::uint64_t alike = (std::uint64_t{number(block.chain)} << 32) | number(block.lockset),
                        before = group.load(std::memory_order_relaxed);
    if (before != alike) group.store(before == new_group ? alike : mixed_group, std::memory_order_relaxed);
  }
  /// Mostly no block is looked at, of which a thread that takes locks has many.
  Holding holding(StrandId s, const memory::ReservedArray<StrandBlock>& blocks) const noexcept {
    const std::uint64_t alike = groups_[number(s) / strands_per_group].load(std::memory_order_relaxed);
    if (alike == mixed_group) {
      const StrandBlock& own = blocks[number(s) / StrandBlock::strands];
      return {own.chain, own.held_by(s)};
    }
    return {ChainId{static_cast<std::uint32_t>(alike >> 32)},
            StrandBlock::may_hold(s) ? LocksetId{static_cast<std::uint32_t>(alike)} : LocksetId::empty};
  }

private:
  static constexpr std::uint32_t blocks_per_group = 16, strands_per_group = blocks_per_group * StrandBlock::strands;
  static constexpr std::uint64_t new_group = 0, mixed_group = ~std::uint64_t{0};

  memory::ReservedArray<std::atomic<std::uint64_t>> groups_; ///< chain and lockset of all, or that they differ
};

} // namespace fletcher::order
