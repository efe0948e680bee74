// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that reports a deadlock while the program hangs. It sleeps; a few times a second it looks which threads
// reported no event since, and only where that is news it asks the checker who waits for whom. What it finds twice,
// half a second apart, it reports, and ends the process as the option on_deadlock says. Meanwhile it keeps to the limit
// on memory (memory_limit.hpp), and to what lives (sweeper.hpp).
#pragma once

#include <atomic>

namespace fletcher::tool {

namespace detail {
inline constinit std::atomic<bool> watching{false};
void start_watcher() noexcept;
} // namespace detail

/// Called where a thread may begin to wait: from the first time on there is a watcher.
[[gnu::always_inline]] inline void watch() noexcept {
  if (!detail::watching.load(std::memory_order_relaxed)) [[unlikely]]
    detail::start_watcher();
}

/// There may be something to sweep.
void wake_watcher() noexcept;

/// For good: the process is about to end. While another thread lives, ThreadSanitizer's runtime sleeps for a second
/// then.
void end_watcher() noexcept;

} // namespace fletcher::tool
