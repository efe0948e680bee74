// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Free locks that one task alone has released since the last horizon, of which there may be millions. What such a lock
// tells is worked out when another task takes it; until then it is a strand, and what its task knew, which is mostly
// the same for many locks. As FastTrack has an epoch in place of a clock as long as that is enough. Relies on
// knowledge.hpp, address_shards.hpp.
#pragma once

#include "checker/memory/address_shards.hpp"
#include "checker/order/sweep.hpp"

#include <deque>
#include <utility>

namespace fletcher::constructs {

/// The release of one.
struct LoneLock {
  std::uint32_t past = 0; ///< LoneLocks::Past, plus 1
  StrandId last = StrandId::none;
  bool given() const noexcept { return past != 0; }
};

/// Thread-safe, except for forget() and name_past(). All others are O(1).
class LoneLocks {
public:
  /// What a task knows that releases locks.
  struct Past {
    order::Knowledge known;
    ChainId chain = ChainId::none;
  };
  /// The last one of a thread's. Only that thread uses it.
  struct Latest {
    std::uint32_t number = 0;
    std::uint32_t generation = 0; ///< of the horizon
    const Past* past = nullptr;
  };

  LoneLock release(Latest& latest, std::uint32_t generation, const order::Knowledge& known, ChainId chain,
                   StrandId last) {
    if (latest.generation != generation || !is(*latest.past, known, chain)) {
      const memory::SpinGuard guard(pasts_lock_);
      const Past& past = pasts_.emplace_back(Past{known, chain}); // it stays where it is
      latest = {static_cast<std::uint32_t>(pasts_.size()), generation, &past};
    }
    return {latest.number, last};
  }
  Past past(const LoneLock& lock) {
    const memory::SpinGuard guard(pasts_lock_);
    return pasts_[lock.past - 1];
  }
  void keep(Address address, const LoneLock& lock) {
    locks_.with(address,
                [&](auto& locks) { locks.insert(address, [](const LoneLock& one) { return one.given(); }) = lock; });
  }
  /// It is none any more.
  LoneLock take(Address address) noexcept {
    return locks_.with(address, [&](auto& locks) {
      LoneLock* const known = locks.find(address);
      return known == nullptr ? LoneLock{} : std::exchange(*known, {});
    });
  }
  /// At a horizon.
  void forget() {
    locks_.clear();
    pasts_.clear();
  }
  void name_past(order::Sweep& sweep) {
    for (Past& past : pasts_) {
      sweep.knows(past.known);
      sweep.needs(past.chain);
    }
    locks_.each([&](const LoneLock& lock) { sweep.needs(lock.last); });
  }

private:
  static bool is(const Past& past, const order::Knowledge& known, ChainId chain) noexcept {
    return past.chain == chain && known.is_with(past.known, ChainId::none, StrandId::none);
  }
  memory::AddressShards<LoneLock> locks_;
  memory::SpinLock pasts_lock_;
  std::deque<Past> pasts_;
};

} // namespace fletcher::constructs
