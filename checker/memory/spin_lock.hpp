// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A one-word lock for sections of a few dozen instructions. Never held across a call into the runtime or the program.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

namespace fletcher::memory {

class SpinLock {
public:
  void lock() noexcept {
    for (unsigned tries = 0; locked_.exchange(true, std::memory_order_acquire); ++tries)
      while (locked_.load(std::memory_order_relaxed))
        if (++tries > 100) std::this_thread::yield(); // more threads than cores: the holder may not be running
  }
  bool try_lock() noexcept { return !locked_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept { locked_.store(false, std::memory_order_release); }
  /// By anybody, a moment ago.
  bool is_locked() const noexcept { return locked_.load(std::memory_order_acquire); }

private:
  std::atomic<bool> locked_{false};
};

using SpinGuard = std::lock_guard<SpinLock>;

} // namespace fletcher::memory
