// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A read that the compiler makes ahead of a loop or a branch is no race (needed_values.hpp); a write behind that branch
// is. But ThreadSanitizer, having reported the read, has forgotten the other thread's write by then. So a reader
// looks at its next event whether it has written the same memory since: then the report is of a race all the same.
#pragma once

#include "checker/ids.hpp"
#include "lib/annotate/thread_sanitizer.hpp"

#include <cstdint>

namespace fletcher::annotate {

/// On the thread of the task, before it releases anything.
void look_for_later_writes(const ThreadSanitizer& sanitizer, TaskId task, bool on_main_thread);

/// Of the report that begins there in the file: its read.
bool is_followed_by_write(std::uint64_t report);

} // namespace fletcher::annotate
