// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting for what another thread is about to say. It may have no processor for now, which may take a second where many
// want one; and it may say nothing, in which case nobody waits for long again.
#pragma once

#include "lib/annotate/sleep.hpp"

#include <atomic>
#include <thread>

namespace fletcher::annotate {

class Patience {
public:
  /// Until `is_so`, or for too long.
  void wait(auto is_so) noexcept {
    using namespace std::chrono_literals;
    constexpr unsigned short_tries = 1000;
    for (unsigned i = 0; i < short_tries; ++i) {
      if (is_so()) return;
      std::this_thread::yield();
    }
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (!lost_.load(std::memory_order_relaxed)) {
      if (is_so()) return;
      if (std::chrono::steady_clock::now() > end) lost_.store(true, std::memory_order_relaxed);
      sleep(50us);
    }
  }

private:
  std::atomic<bool> lost_{false};
};

} // namespace fletcher::annotate
