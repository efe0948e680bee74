// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of tasks that clang has compiled, which the runtime calls with the thread's number and the task. Those
// of gcc's it calls otherwise, and a task does not say whose it is.
#pragma once

#include "checker/ids.hpp"

#include <array>
#include <atomic>

namespace fletcher::ompt {

/// Without a lock. Of more functions than there is room for, those that come late are not known.
class TaskFunctions {
public:
  void add(Address function) noexcept {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      std::atomic<Address>& at = known_[(start(function) + i) % known_.size()];
      Address found = at.load(std::memory_order_relaxed);
      if (found == 0 && at.compare_exchange_strong(found, function, std::memory_order_relaxed)) return;
      if (found == function) return;
    }
  }
  bool contains(Address function) const noexcept {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const Address found = known_[(start(function) + i) % known_.size()].load(std::memory_order_relaxed);
      if (found == function) return function != 0;
      if (found == 0) return false;
    }
    return false;
  }

private:
  static constexpr std::size_t start(Address function) noexcept { return function >> 4; }
  std::array<std::atomic<Address>, 1024> known_{};
};

inline constinit TaskFunctions clang_functions{};

} // namespace fletcher::ompt
