// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only this run's order of lock acquisitions told a task. A lock carries it from whoever let go of it to whoever
// takes it, mostly as it is: what a lock carries after a later release contains what it carried after an earlier one,
// so that one pointer takes the place of another, and no clocks are compared. Relies on clock.hpp.
#pragma once

#include "checker/order/clock.hpp"

#include <atomic>
#include <cstddef>
#include <utility>

namespace fletcher::order {

/// A release of a lock. Those of one lock are in their order.
struct LockRelease {
  std::uint32_t lock = 0; ///< 0: none
  std::uint32_t turn = 0;
};

/// Value semantics: copying is O(1). Not synchronised itself; different copies may be used by different threads.
class Observed {
public:
  Observed() = default;
  Observed(const Observed& other) noexcept : shared_(other.shared_) {
    if (shared_ != nullptr) shared_->references.fetch_add(1, std::memory_order_relaxed);
  }
  Observed(Observed&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  Observed& operator=(Observed other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~Observed() {
    if (shared_ != nullptr) release();
  }

  /// Somebody else has made it, and it is about to be copied.
  void prefetch() const noexcept {
    if (shared_ == nullptr) return;
    __builtin_prefetch(shared_, 1);
    __builtin_prefetch(reinterpret_cast<const std::byte*>(shared_) + 64);
  }
  bool empty() const noexcept { return shared_ == nullptr; }
  /// The last strand of `chain` that it tells of, or none. Mostly O(1).
  StrandId get(ChainId chain) const noexcept { return shared_ == nullptr ? StrandId::none : shared_->clock.get(chain); }
  /// Exactly what the lock carried after that release.
  bool is_of(LockRelease release) const noexcept {
    return shared_ != nullptr && shared_->from.lock == release.lock && shared_->from.turn == release.turn;
  }
  /// All that `other` tells. O(1) of the same lock, else O(what differs). False where this told it all.
  bool join(const Observed& other);
  /// This and what the lock is given besides: with that it carries all that `release` says.
  template <class More> Observed with(LockRelease release, More more) const {
    Observed made(*this, release);
    more(made.shared_->clock);
    return made;
  }
  /// It is all that the lock carries after that release. Of one that was just made.
  void be_of(LockRelease release) noexcept { shared_->from = release; }
  friend bool operator==(const Observed&, const Observed&) = default;

private:
  struct Shared {
    std::atomic<std::uint32_t> references{1};
    LockRelease from;
    Clock clock;
  };
  Observed(const Observed& base, LockRelease release)
      : shared_(new Shared{.from = release, .clock = base.empty() ? Clock() : base.shared_->clock}) {}
  /// By the same lock, as early or earlier.
  bool contains(const Observed& other) const noexcept {
    return shared_->from.lock != 0 && shared_->from.lock == other.shared_->from.lock &&
           static_cast<std::int32_t>(shared_->from.turn - other.shared_->from.turn) >= 0;
  }
  void release() noexcept;

  Shared* shared_ = nullptr; ///< not changed while shared
};
static_assert(sizeof(Observed) == sizeof(void*));

} // namespace fletcher::order
