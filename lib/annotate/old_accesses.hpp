// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ThreadSanitizer keeps four accesses of eight bytes, and lets one of them go for a fifth: what is in order with all
// that comes must not take the place of two that race.
#pragma once

#include "lib/annotate/tasks/asides.hpp"

namespace fletcher::annotate {

/// What a task did with its own variables is before what the tasks do that it creates, and nobody else knows them yet.
/// Two neighbours that it has set would leave room for two accesses only. `end` is the end of its frames, unless it is
/// a fiber.
void forget_frames(const ThreadSanitizer& sanitizer, Asides& asides, const Task& task, Address end);

/// For ThreadSanitizer a thread that begins has written all of its stack.
void forget_unused_stack(const ThreadSanitizer& sanitizer);

} // namespace fletcher::annotate
