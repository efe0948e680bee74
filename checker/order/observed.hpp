// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only this run told a task: by its order of lock acquisitions and, kept apart, by what tasks of one thread left
// for each other in memory of the thread's own. A lock carries it from the one that let go of it to the one that takes
// it, mostly as it is: what a lock carries after a later release contains what it carried after an earlier one, so that
// one pointer takes the place of another, and no clocks are compared. The same goes for a thread. Relies on clock.hpp.
#pragma once

#include "checker/order/clock.hpp"

#include <atomic>
#include <cstddef>
#include <utility>

namespace fletcher::order {

/// A release of a lock, or a thread's turning to another task. Those of one lock, and of one thread, are in their
/// order.
struct LockRelease {
  std::uint32_t lock = 0; ///< 0: none
  std::uint32_t turn = 0;
};

/// Value semantics: copying is O(1). Not synchronised itself; different copies may be used by different threads.
class Observed {
public:
  Observed() = default;
  Observed(const Observed& other) noexcept;
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
  /// The last strand of `chain` that locks made known, or none. Mostly O(1).
  StrandId get(ChainId chain) const noexcept;
  /// The last strand of `chain` that threads' own memory made known, in an order that counts for what tasks can have
  /// left for each other there; or none.
  StrandId get_passed(ChainId chain) const noexcept;
  bool has_passed() const noexcept;
  /// The thread whose own memory told all that it is; 0 where something else did, too.
  std::uint32_t passed_by() const noexcept;
  /// Exactly what the lock carried after that release.
  bool is_of(LockRelease release) const noexcept;
  /// `other` is empty, or of an earlier release of the same lock. O(1).
  bool contains(const Observed& other) const noexcept;
  /// All that `other` tells. O(1) of the same lock, else O(what differs). False where this told it all.
  bool join(const Observed& other);
  /// The same of `told`, which a thread's own memory tells (Knowledge::left_by).
  bool join_passed(const Observed& told);
  /// This and what the lock is given besides: with that it carries all that `release` says.
  template <class More> Observed with(LockRelease release, More more) const&;
  template <class More> Observed with(LockRelease release, More more) &&;
  /// What threads' own memory told is part of what such memory `carried`. O(1).
  bool passed_is_in(const Observed& carried) const noexcept;
  /// The same of what a thread's own memory is given, which carried `carried` where that is not null.
  template <class More> Observed passed_with(LockRelease turn, const Observed* carried, More more) const;
  /// It is all that the lock carries after that release. Of one that was just made.
  void be_of(LockRelease release) noexcept;
  friend bool operator==(const Observed&, const Observed&) = default;
  /// As Clock::forget.
  void forget(const memory::RecycledIds& chains, std::uint32_t sweep) noexcept;

private:
  struct Shared;
  Observed(const Observed& base, LockRelease release);
  /// Joining `other` would change nothing.
  bool covers(const Observed& other) const noexcept;
  void release() noexcept;

  Shared* shared_ = nullptr; ///< not changed while shared
};
static_assert(sizeof(Observed) == sizeof(void*));

struct Observed::Shared {
  std::atomic<std::uint32_t> references{1};
  std::uint32_t swept = 0; ///< in which sweep last (forget)
  LockRelease from;
  Clock clock;
  Observed passed;
};

inline Observed::Observed(const Observed& other) noexcept : shared_(other.shared_) {
  if (shared_ != nullptr) shared_->references.fetch_add(1, std::memory_order_relaxed);
}
inline StrandId Observed::get(ChainId chain) const noexcept {
  return shared_ == nullptr ? StrandId::none : shared_->clock.get(chain);
}
inline bool Observed::is_of(LockRelease release) const noexcept {
  return shared_ != nullptr && shared_->from.lock == release.lock && shared_->from.turn == release.turn;
}
inline StrandId Observed::get_passed(ChainId chain) const noexcept {
  return shared_ == nullptr ? StrandId::none : shared_->passed.get(chain);
}
inline std::uint32_t Observed::passed_by() const noexcept {
  return has_passed() && shared_->clock.empty() ? shared_->passed.shared_->from.lock : 0;
}
inline bool Observed::has_passed() const noexcept { return shared_ != nullptr && !shared_->passed.empty(); }
template <class More> Observed Observed::with(LockRelease release, More more) const& {
  Observed made(*this, release);
  more(made.shared_->clock);
  return made;
}
// Mostly nobody else has taken the lock since.
template <class More> Observed Observed::with(LockRelease release, More more) && {
  if (shared_ == nullptr || shared_->references.load(std::memory_order_acquire) != 1)
    return std::as_const(*this).with(release, more);
  shared_->from = release;
  more(shared_->clock);
  return std::move(*this);
}
inline bool Observed::passed_is_in(const Observed& carried) const noexcept {
  return shared_ == nullptr || carried.contains(shared_->passed);
}
template <class More> Observed Observed::passed_with(LockRelease turn, const Observed* carried, More more) const {
  Observed made(carried != nullptr ? *carried : shared_ == nullptr ? *this : shared_->passed, turn);
  if (shared_ != nullptr) made.shared_->clock.join(shared_->clock);
  more(made.shared_->clock);
  return made;
}
inline void Observed::forget(const memory::RecycledIds& chains, std::uint32_t sweep) noexcept {
  if (shared_ == nullptr || std::exchange(shared_->swept, sweep) == sweep) return;
  shared_->clock.forget(chains, sweep);
  shared_->passed.forget(chains, sweep);
}
inline void Observed::be_of(LockRelease release) noexcept { shared_->from = release; }

} // namespace fletcher::order
