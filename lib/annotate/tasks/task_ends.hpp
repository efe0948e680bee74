// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What comes after the end of a task: whoever waits for it, and the tasks that depend on it.
#pragma once

#include "lib/annotate/records.hpp"
#include "lib/annotate/thread_sanitizer.hpp"

namespace fletcher::annotate {

/// The task ends, or the event that it was detached with is fulfilled.
void come_to_end(const ThreadSanitizer& sanitizer, Task& task);

/// Of the two ends of a detached task, which two threads may come to at the same time.
bool is_second(Task& task) noexcept;

} // namespace fletcher::annotate
