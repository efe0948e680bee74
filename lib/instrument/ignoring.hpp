// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stretches of code whose accesses the program asks not to check. They nest.
#pragma once

#include "lib/tool/thread.hpp"

namespace fletcher::instrument {

namespace detail {
/// Balanced per thread: an end without a begin must not switch on what others switched off.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local unsigned ignoring = 0;
} // namespace detail

inline void ignore_begin() noexcept {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr) return;
  ++detail::ignoring;
  thread->switch_off();
}

inline void ignore_end() noexcept {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr || detail::ignoring == 0) return;
  --detail::ignoring;
  thread->switch_on();
}

} // namespace fletcher::instrument
