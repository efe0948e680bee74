// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task's function, which the runtime is about to call on this thread, runs on another stack, and so do the
// destructors of what the task has copies of. Or somebody hears when it returns.
#pragma once

#include "checker/ids.hpp"

namespace fletcher::annotate {

#if defined(__x86_64__)
inline constexpr bool can_change_stacks = true;
#else
inline constexpr bool can_change_stacks = false;
#endif

/// Of the task that the event to come begins or resumes on this thread, where the runtime keeps the function that it
/// calls to run it; 0 where unknown. Left by who raises the event.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Address next_function = 0;

/// `function` is where the runtime keeps what it calls; `stack` is the high end of unused memory.
void call_on(Address function, Address stack) noexcept;
void call_and_tell(Address function, void (*returned)(void* task), void* task) noexcept;

} // namespace fletcher::annotate
