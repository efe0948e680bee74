// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table from addresses of the program to values for many threads: address maps (address_map.hpp) with a lock each. So
// one that holds millions grows in parts, which need room beside what they outgrow one at a time.
#pragma once

#include "checker/memory/address_map.hpp"
#include "checker/memory/hash.hpp"
#include "checker/memory/spin_lock.hpp"

#include <array>

namespace fletcher::memory {

template <class Value> class AddressShards {
public:
  static constexpr std::size_t count = 16;

  /// `f(map)` with the map that `key` is in, while nobody else has it.
  template <class F> auto with(Address key, F f) {
    Shard& s = shards_[shard_of(key)];
    const SpinGuard guard(s.lock);
    return f(s.map);
  }
  /// Nobody else uses it meanwhile.
  void clear() {
    for (Shard& s : shards_) s.map = {};
  }
  /// Calls `f(value)` for all. Nobody else uses it meanwhile.
  template <class F> void each(F f) {
    for (Shard& s : shards_) s.map.each(f);
  }

private:
  /// What lies side by side is in one map. Pages do not take turns: threads that each go through a part of one array
  /// are often a multiple of 16 pages apart, and would want the same map at every step.
  static constexpr std::size_t shard_of(Address key) noexcept {
    constexpr unsigned page_bits = 12;
    return spread(key >> page_bits) >> 60;
  }
  static_assert(count == 16);
  struct alignas(64) Shard {
    SpinLock lock;
    AddressMap<Value> map;
  };
  std::array<Shard, count> shards_;
};

} // namespace fletcher::memory
