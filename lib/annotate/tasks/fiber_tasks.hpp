// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that are fibers of ThreadSanitizer's while they run.
#pragma once

#include "lib/annotate/records.hpp"

namespace fletcher::annotate {

/// `function` is where the runtime keeps what it is about to call. The task stays its thread's where there is no fiber.
void begin_fiber(const ThreadSanitizer& sanitizer, Fibers& fibers, Task& task, Address function);
/// It has one.
void end_fiber(const ThreadSanitizer& sanitizer, Fibers& fibers, Task& task);

} // namespace fletcher::annotate
