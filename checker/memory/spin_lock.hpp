// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A one-word lock for sections of a few dozen instructions. Never held across a call into the runtime or the program.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

namespace fletcher::memory {

/// Tells the processor that this thread looks again and again: it leaves the line, and its sibling, alone for a moment.
inline void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class SpinLock {
public:
  void lock() noexcept {
    for (unsigned tries = 0; locked_.exchange(true, std::memory_order_acquire); ++tries)
      while (locked_.load(std::memory_order_relaxed))
        if (++tries <= 100)
          pause();
        else
          std::this_thread::yield(); // more threads than cores: the holder may not be running
  }
  bool try_lock() noexcept { return !locked_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept { locked_.store(false, std::memory_order_release); }

private:
  std::atomic<bool> locked_{false};
};

using SpinGuard = std::lock_guard<SpinLock>;

} // namespace fletcher::memory
