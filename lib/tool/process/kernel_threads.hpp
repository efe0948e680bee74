// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernel says of the process's threads: are there others than those that tell events, and did one get
// processor time? For the watcher, which must not take a thread that was not scheduled for one that cannot go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace fletcher::tool::kernel {

/// The calling thread is the watcher: none of the program's.
void note_watcher() noexcept;

/// The process's second thread, if it still lives, is a sanitizer's: none of the program's, too.
void note_helper();

/// The threads that live beside the calling one and these.
std::vector<pid_t> others();

/// The process has a living thread, other than these, without a slot of the gate.
bool has_strangers();
/// It has no living thread but these.
bool alone();

struct Progress {
  std::int64_t processor_time = -1; ///< nanoseconds; -1 where unknown
  bool sleeps = false;
  bool may_fault = false; ///< it sleeps for a disk, maybe because it touched memory that is there
};
Progress progress(pid_t thread);

/// Between `before` and `after` it slept, or it ran: what it waited for it would have seen.
bool had_its_chance(const Progress& after, const Progress& before) noexcept;

} // namespace fletcher::tool::kernel
