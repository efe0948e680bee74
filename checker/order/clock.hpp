// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector clock (Mattern 1989; Fidge 1988) over chains, as an immutable radix tree that clocks share plus a few recent
// entries of its own: copying is O(1), raising an entry O(1) amortised, joining proportional to what differs.
#pragma once

#include "checker/ids.hpp"
#include "checker/memory/recycled_ids.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace fletcher::order {

namespace detail {
struct ClockNode;
void retain(const ClockNode* node) noexcept;
void release(const ClockNode* node) noexcept;

/// Shared ownership of a tree node that is not changed while shared; the count is atomic, so trees may be shared
/// between threads.
class ClockTree {
public:
  ClockTree() = default;
  explicit ClockTree(const ClockNode* owned) noexcept : node_(owned) {}
  ClockTree(const ClockTree& other) noexcept : node_(other.node_) {
    if (node_ != nullptr) retain(node_);
  }
  ClockTree(ClockTree&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  ClockTree& operator=(ClockTree other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~ClockTree() {
    if (node_ != nullptr) release(node_);
  }
  const ClockNode* get() const noexcept { return node_; }
  /// Gives up the ownership.
  const ClockNode* take() noexcept { return std::exchange(node_, nullptr); }

private:
  const ClockNode* node_ = nullptr;
};
} // namespace detail

/// A clock says, for each chain, up to which strand its owner comes after that chain. Value semantics. Not
/// synchronised itself; different copies may be used by different threads.
class Clock {
public:
  /// The last strand of `chain` that is known, or none. O(log of the chains in use), mostly O(1).
  StrandId get(ChainId chain) const noexcept;
  /// Raises the entry of `chain` to at least `strand`.
  void raise(ChainId chain, StrandId strand);
  /// Entry-wise maximum. O(entries that differ); O(1) where trees are shared.
  void join(const Clock& other);
  /// Joining `other` would change nothing, if this knew `chain` up to `strand`, too. False may be said of a clock that
  /// knows it all. O(entries that differ), without writing to what clocks share.
  bool covers(const Clock& other, ChainId chain = ChainId::none, StrandId strand = StrandId::none) const noexcept;
  bool empty() const noexcept { return count_ == 0 && tree_.get() == nullptr; }
  void clear() noexcept { *this = Clock(); }
  /// Forgets the chains that are free. In what it shares with others, too: nobody asks about them any more, whatever
  /// else may read it at this moment. `sweep` tells one sweep from the one before. O(entries that no clock has been
  /// asked to forget in this sweep).
  void forget(const memory::RecycledIds& chains, std::uint32_t sweep) noexcept;

private:
  struct Entry {
    ChainId chain;
    StrandId strand;
  };
  void flush();

  static constexpr std::size_t recent_entries = 6;
  detail::ClockTree tree_;
  std::array<Entry, recent_entries> recent_{};
  std::uint32_t count_ = 0;
};
static_assert(sizeof(Clock) == 64, "a clock is copied at every task creation: one cache line");

} // namespace fletcher::order
