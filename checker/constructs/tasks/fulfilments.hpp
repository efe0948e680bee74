// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fulfilled events of detachable tasks that have not completed: what those know who fulfilled them. Mostly there are
// none.
#pragma once

#include "checker/ids.hpp"
#include "checker/memory/spin_lock.hpp"
#include "checker/order/sweep.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

namespace fletcher::constructs {

/// Thread-safe, except for name_past().
class Fulfilments {
public:
  bool any() const noexcept { return count_.load(std::memory_order_relaxed) != 0; }
  bool has(TaskId task) const {
    const memory::SpinGuard guard(lock_);
    return known_.contains(number(task));
  }
  void add(TaskId task, order::Knowledge known) {
    count_.fetch_add(1, std::memory_order_relaxed);
    const memory::SpinGuard guard(lock_);
    known_.emplace(number(task), std::move(known));
  }
  /// Nothing where its event was not fulfilled.
  std::optional<order::Knowledge> take(TaskId task) {
    const memory::SpinGuard guard(lock_);
    const auto at = known_.find(number(task));
    if (at == known_.end()) return std::nullopt;
    std::optional<order::Knowledge> out(std::move(at->second));
    known_.erase(at);
    count_.fetch_sub(1, std::memory_order_relaxed);
    return out;
  }
  void name_past(order::Sweep& sweep) {
    for (auto& [task, known] : known_) sweep.knows(known);
  }

private:
  mutable memory::SpinLock lock_;
  std::unordered_map<std::uint32_t, order::Knowledge> known_;
  std::atomic<std::uint32_t> count_{0};
};

} // namespace fletcher::constructs
