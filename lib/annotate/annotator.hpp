// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where ThreadSanitizer's runtime judges the accesses, it hears from here what OpenMP orders. What one of its threads
// does is in order for it, so explicit tasks are its fibers, where that can be: each a thread of its own.
#pragma once

#include "checker/events.hpp"

#include <atomic>

namespace fletcher::annotate {

/// Never destroyed. Null where the process has no ThreadSanitizer that takes annotations.
Listener* make_annotator();

/// The process is about to end: ThreadSanitizer would sleep for a second then while a fiber lives.
void destroy_unused_fibers();

/// Where the runtime keeps the functions of tasks matters.
inline constinit std::atomic<bool> changes_functions{false};
/// Explicit tasks are fibers.
inline constinit std::atomic<bool> judges_tasks{false};
/// The running task asks which thread it is on, or for what belongs to that thread: it shares that with the thread's
/// other tasks that do so.
void ask_thread_number();

} // namespace fletcher::annotate
