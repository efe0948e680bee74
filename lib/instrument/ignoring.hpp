// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stretches of code whose accesses the program asks not to check. They nest.
#pragma once

#include "lib/tool/thread.hpp"

#include <atomic>

namespace fletcher::instrument {

namespace detail {
/// Balanced per thread: an end without a begin must not switch on what others switched off.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local unsigned ignoring = 0;
} // namespace detail

inline void ignore_begin() noexcept {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr) return;
  ++detail::ignoring;
  std::atomic_ref(thread->off).fetch_add(1, std::memory_order_relaxed);
}

inline void ignore_end() noexcept {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr || detail::ignoring == 0) return;
  --detail::ignoring;
  std::atomic_ref(thread->off).fetch_sub(1, std::memory_order_relaxed);
}

} // namespace fletcher::instrument
