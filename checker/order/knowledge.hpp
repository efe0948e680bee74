// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a task knows of the past: what OpenMP guarantees, and what only this run's order of lock acquisitions adds. Both
// travel along the same edges. Tasks mostly know what their creator knew plus the strand that created them, so that is
// what it is: a reference to shared clocks and one entry of its own. Relies on clock.hpp, observed.hpp.
#pragma once

#include "checker/order/clock.hpp"
#include "checker/order/observed.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

namespace fletcher::order {

/// Value semantics: copying is O(1), whatever is known. Not synchronised itself; different copies may be used by
/// different threads.
class Knowledge {
public:
  Knowledge() = default;
  Knowledge(const Knowledge& other) noexcept
      : clocks_(other.clocks_), observed_(other.observed_), chain_(other.chain_), strand_(other.strand_) {
    if (clocks_ != nullptr) clocks_->references.fetch_add(1, std::memory_order_relaxed);
  }
  Knowledge(Knowledge&& other) noexcept
      : clocks_(std::exchange(other.clocks_, nullptr)), observed_(std::move(other.observed_)),
        chain_(std::exchange(other.chain_, ChainId::none)), strand_(other.strand_) {}
  Knowledge& operator=(Knowledge other) noexcept {
    std::swap(clocks_, other.clocks_);
    observed_ = std::move(other.observed_);
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
  /// The last strand of `chain` that locks made known; none, or an earlier one, where get() says as much.
  StrandId get_observed(ChainId chain) const noexcept { return observed_.get(chain); }
  /// The same of what threads' own memory told.
  StrandId get_passed(ChainId chain) const noexcept { return observed_.get_passed(chain); }
  bool empty() const noexcept { return chain_ == ChainId::none && clocks_ == nullptr && observed_.empty(); }
  bool has_observed() const noexcept { return !observed_.empty(); }
  bool has_passed() const noexcept { return observed_.has_passed(); }
  /// As Observed::passed_by.
  std::uint32_t passed_by() const noexcept { return observed_.passed_by(); }
  void clear() noexcept { *this = Knowledge(); }

  /// The strand of its own entry, which the last one that published it has; none where there is none.
  StrandId latest() const noexcept { return chain_ == ChainId::none ? StrandId::none : strand_; }

  /// The chain of that entry.
  ChainId latest_chain() const noexcept { return chain_; }
  /// As Clock::forget; but not latest_chain(), which has to stay.
  void forget(const memory::RecycledIds& chains, std::uint32_t sweep) noexcept;

  /// It knows a later strand of the chain that the own entry of `other` is of.
  bool has_later(const Knowledge& other) const noexcept {
    return other.chain_ != ChainId::none && number(get(other.chain_)) > number(other.strand_);
  }
  /// Everything up to `strand` of `chain` comes before. Mostly O(1).
  void raise(ChainId chain, StrandId strand);
  /// All that `other` knows. O(what differs). False where this knew it all.
  bool join(const Knowledge& other);
  /// All that a lock tells.
  void observe(const Observed& told) { observed_.join(told); }
  /// All that a thread's own memory tells (left_by). False where this knew it all.
  bool find(const Observed& left) { return observed_.join_passed(left); }
  /// The same is guaranteed. False may be said of what is so. O(1).
  bool guarantees_as(const Knowledge& other) const noexcept {
    return clocks_ == other.clocks_ && chain_ == other.chain_ && (chain_ == ChainId::none || strand_ == other.strand_);
  }
  /// What is guaranteed, without what locks told.
  Knowledge guaranteed() const noexcept {
    Knowledge result;
    result.share(clocks_);
    result.chain_ = chain_;
    result.strand_ = strand_;
    return result;
  }
  /// Only what locks and threads' own memory told.
  Knowledge observed() const noexcept {
    Knowledge result;
    result.observed_ = observed_;
    return result;
  }
  /// What a lock tells that is released by a task that knows this, and comes after `strand` of `chain`: all of it, and
  /// all that the lock `carried` when it was taken.
  Observed told(LockRelease release, ChainId chain, StrandId strand, Observed carried = {}) const;
  /// What a task leaves in its thread's own memory that knows this, and that was there up to `strand` of `chain`: all
  /// that comes before, in whatever way, and all that the memory `carried` before.
  Observed left_by(LockRelease turn, ChainId chain, StrandId strand, const Observed& carried = {}) const;
  /// This with one entry more. What has to be made for that is kept, so that the next such call costs nothing.
  Knowledge with(ChainId chain, StrandId strand);
  /// `*this = base.with(chain, strand)`. Without a locked instruction where both share their clocks already.
  void become(Knowledge& base, ChainId chain, StrandId strand);
  /// `base.with(chain, strand)` would be this. False may be said of what is. O(1).
  bool is_with(const Knowledge& base, ChainId chain, StrandId strand) const noexcept {
    const bool more = chain != ChainId::none && strand != StrandId::none;
    if (clocks_ != base.clocks_ || observed_ != base.observed_ ||
        (more && base.chain_ != ChainId::none && base.chain_ != chain))
      return false;
    return chain_ == (more ? chain : base.chain_) &&
           (chain_ == ChainId::none || strand_ == (more ? strand : base.strand_));
  }

private:
  /// Entries that were raised since a lock carries all the others. A creator's clocks differ from its child's by one or
  /// two, and a clock of many living tasks is large: so a lock is given these, not all.
  struct Raised {
    ChainId chain;
    StrandId strand;
  };
  struct Told {
    std::uint32_t by = 0;   ///< a lock or thread that carries all but some raised entries since some release or turn
    std::uint32_t upto = 0; ///< how many of these it carries, too
  };
  struct Clocks {
    std::atomic<Told> told{};
    Clock order;
    std::array<Raised, 4> raised{};
    std::uint32_t raised_count = 0;
    std::atomic<std::uint32_t> references{1};
    std::uint32_t swept = 0; ///< in which sweep last (forget)
    static_assert(std::atomic<Told>::is_always_lock_free);
  };
  static_assert(sizeof(Clocks) <= 128 - 8, "glibc frees more than that, made by another thread, under that one's lock");
  /// Joining `less` would change nothing. Mostly the later of two tasks knows all that the earlier one does.
  bool covers(const Clocks* less) const noexcept;
  /// Raises `all` by what is guaranteed; only by what is new if `all` goes on from what `by` carried.
  void tell(Clock& all, std::uint32_t by, bool goes_on, ChainId chain, StrandId strand) const;
  void share(Clocks* clocks) noexcept;
  /// Clocks that no other knowledge has, equal to what it had.
  Clocks& own();
  void fold();
  void release() noexcept;

  Clocks* clocks_ = nullptr; ///< immutable while shared
  Observed observed_;
  ChainId chain_ = ChainId::none;
  StrandId strand_ = StrandId::none;
};
static_assert(sizeof(Knowledge) == 24, "a task that waits to be started holds one");

} // namespace fletcher::order
