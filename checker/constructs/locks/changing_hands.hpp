// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first locks that another task than their owner unset: who holds one says nothing about who will unset it.
#pragma once

#include "checker/memory/spin_lock.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace fletcher::constructs {

/// Thread-safe; O(1). Beyond so many, every lock counts as one.
class ChangingHands {
public:
  bool any() const noexcept { return any_.load(std::memory_order_relaxed); }
  bool has(std::uint64_t key) {
    if (!any()) return false;
    const memory::SpinGuard guard(lock_);
    return keys_.size() == most || keys_.contains(key);
  }
  void add(std::uint64_t key) {
    const memory::SpinGuard guard(lock_);
    if (keys_.size() < most) keys_.insert(key);
    any_.store(true, std::memory_order_relaxed);
  }
  void forget(std::uint64_t key) {
    const memory::SpinGuard guard(lock_);
    if (keys_.size() < most) keys_.erase(key);
  }

private:
  static constexpr std::size_t most = 1u << 14;
  memory::SpinLock lock_;
  std::unordered_set<std::uint64_t> keys_;
  std::atomic<bool> any_{false};
};

} // namespace fletcher::constructs
