// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pausing the check (omp_control_tool, fletcher_* annotations): a global wish that each thread takes over at its next
// event. Accesses stop being checked; events still flow, so that the task graph stays whole.
#pragma once

#include "lib/tool/thread.hpp"

#include <atomic>

namespace fletcher::tool::control {

/// What the program wishes. Written by the commands, read at events.
inline constinit std::atomic<bool> paused{false};

void take_over() noexcept;

/// Called at every event of the runtime, on the thread of the event.
[[gnu::always_inline]] inline void poll() noexcept {
  if (paused.load(std::memory_order_relaxed) != this_thread.paused) [[unlikely]]
    take_over();
}

/// The commands of omp_control_tool, and the values that it returns (OpenMP 5.1, section 3.14).
enum class Command : int { start = 1, pause = 2, flush = 3, end = 4 };
inline constexpr int success = 0, ignored = 1;

/// start: resumes; has no effect while running. pause: has no effect while paused. flush: delivers what was found so
/// far. end: no more checks, now and later; every further command is ignored. Other commands are ignored.
int command(int number);

} // namespace fletcher::tool::control
