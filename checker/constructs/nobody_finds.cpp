// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/nobody_finds.hpp"

#include <thread>

namespace fletcher::constructs {

// Threads that begin meanwhile have nothing to find.
Execution::NobodyFinds::NobodyFinds(Execution& execution) noexcept
    : execution_(execution), threads_(execution.last_thread_.load(std::memory_order_acquire)) {
  constexpr int patience = 1000;
  int tries = 0;
  for (; held_ < threads_; ++held_) {
    ThreadData* const thread = execution_.threads_[held_ + 1].load(std::memory_order_acquire);
    while (thread != nullptr && !thread->own_memory.lock.try_lock()) {
      if (++tries > patience) return;
      std::this_thread::yield();
    }
  }
}

Execution::NobodyFinds::~NobodyFinds() {
  for (; held_ > 0; --held_)
    if (ThreadData* const thread = execution_.threads_[held_].load(std::memory_order_acquire))
      thread->own_memory.lock.unlock();
}

} // namespace fletcher::constructs
