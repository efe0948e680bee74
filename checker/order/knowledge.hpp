// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a task knows of the past: what OpenMP guarantees, and what only this run's order of lock acquisitions adds. Both
// travel along the same edges. Tasks mostly know what their creator knew plus the strand that created them, so that is
// what it is: a reference to shared clocks and one entry of its own. Relies on clock.hpp.
#pragma once

#include "checker/order/clock.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

namespace fletcher::order {

/// Value semantics: copying is O(1), whatever is known. Not synchronised itself; different copies may be used by
/// different threads.
class Knowledge {
public:
  Knowledge() = default;
  Knowledge(const Knowledge& other) noexcept : clocks_(other.clocks_), chain_(other.chain_), strand_(other.strand_) {
    if (clocks_ != nullptr) clocks_->references.fetch_add(1, std::memory_order_relaxed);
  }
  Knowledge(Knowledge&& other) noexcept
      : clocks_(std::exchange(other.clocks_, nullptr)), chain_(std::exchange(other.chain_, ChainId::none)),
        strand_(other.strand_) {}
  Knowledge& operator=(Knowledge other) noexcept {
    std::swap(clocks_, other.clocks_);
    chain_ = other.chain_;
    strand_ = other.strand_;
    return *this;
  }
  ~Knowledge() {
    if (clocks_ != nullptr) release();
  }

  /// The last strand of `chain` that is guaranteed to come before, or none. O(1) to O(log of the chains in use).
  StrandId get(ChainId chain) const noexcept {
    const StrandId own = chain == chain_ ? strand_ : StrandId::none;
    return clocks_ == nullptr ? own : std::max(own, clocks_->order.get(chain));
  }
  /// The last strand of `chain` that comes before in this run, by the order of locks or by a guarantee; none, or an
  /// earlier one, where get() says as much.
  StrandId get_observed(ChainId chain) const noexcept {
    return has_observed() ? clocks_->in_run->get(chain) : StrandId::none;
  }
  bool empty() const noexcept { return chain_ == ChainId::none && clocks_ == nullptr; }
  bool has_observed() const noexcept { return clocks_ != nullptr && clocks_->in_run != nullptr; }
  void clear() noexcept { *this = Knowledge(); }

  /// The strand of its own entry, which whoever published it as the last one has; none where there is none.
  StrandId latest() const noexcept { return chain_ == ChainId::none ? StrandId::none : strand_; }

  /// Everything up to `strand` of `chain` comes before. Mostly O(1).
  void raise(ChainId chain, StrandId strand);
  /// All that `other` knows. O(what differs). False where this knew it all.
  bool join(const Knowledge& other);
  /// All that `other` knows, but only as this run's order.
  void observe(const Knowledge& other);
  /// This with one entry more. What has to be made for that is kept, so that the next such call costs nothing.
  Knowledge with(ChainId chain, StrandId strand);
  /// `base.with(chain, strand)` would be this. False may be said of what is. O(1).
  bool is_with(const Knowledge& base, ChainId chain, StrandId strand) const noexcept {
    const bool more = chain != ChainId::none && strand != StrandId::none;
    if (clocks_ != base.clocks_ || (more && base.chain_ != ChainId::none && base.chain_ != chain)) return false;
    return chain_ == (more ? chain : base.chain_) &&
           (chain_ == ChainId::none || strand_ == (more ? strand : base.strand_));
  }

private:
  struct Clocks {
    std::atomic<std::uint32_t> references{1};
    Clock order;
    /// What locks told, too. Whoever takes one learns this of the holder before, whose clock mostly shares with it what
    /// its own does: a clock of what only locks told would share nothing, and joining takes as long as it is large.
    std::unique_ptr<Clock> in_run; ///< null where that is nothing

    Clock& own_in_run() {
      if (in_run == nullptr) in_run = std::make_unique<Clock>(order);
      return *in_run;
    }
    const Clock& all_in_run() const noexcept { return in_run != nullptr ? *in_run : order; }
  };
  static_assert(sizeof(Clocks) <= 128 - 8, "glibc frees more than that, made by another thread, under that one's lock");
  /// Joining `less` would change nothing. Mostly the later of two tasks knows all that the earlier one does.
  bool covers(const Clocks* less) const noexcept;
  void share(Clocks* clocks) noexcept;
  Clocks& own();
  void fold();
  void release() noexcept;

  Clocks* clocks_ = nullptr; ///< immutable while shared
  ChainId chain_ = ChainId::none;
  StrandId strand_ = StrandId::none;
};
static_assert(sizeof(Knowledge) == 16, "a task that waits to be started holds one");

} // namespace fletcher::order
