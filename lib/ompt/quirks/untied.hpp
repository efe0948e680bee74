// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Untied tasks run in parts, and what the runtime reports at a part's end is not all: where a thread ends the last part
// while another one has not yet come back from an earlier part, that one reports the task's completion, and this one
// tells nothing (LLVM 19 and its sources since). So wherever the runtime says which task a thread is in, it is
// believed.
#pragma once

#include "lib/ompt/local.hpp"

#include <atomic>

namespace fletcher::ompt {

/// The program has made untied tasks.
inline constinit std::atomic<bool> untied_met{false};

namespace detail {
void follow(const Entered& at, const ompt_data_t* told);
void follow_runtime(const Entered& at);
} // namespace detail

/// The runtime tells that the thread is in the task of `told`: if events say otherwise, it has changed tasks in
/// silence.
inline void follow(const Entered& at, const ompt_data_t* told) {
  if (untied_met.load(std::memory_order_relaxed)) [[unlikely]]
    detail::follow(at, told);
}
/// The same where an event does not tell the task: the runtime is asked.
inline void follow_runtime(const Entered& at) {
  if (untied_met.load(std::memory_order_relaxed)) [[unlikely]]
    detail::follow_runtime(at);
}

} // namespace fletcher::ompt
