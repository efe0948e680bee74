// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of untied tasks. The runtime calls the function of such a task for each part of it. A part ends by queueing the
// next one, which another thread may begin and end before this one has returned: then the runtime reports the whole
// task's end on the thread of the part before, and of the last part's nowhere.
#pragma once

#include "lib/annotate/records.hpp"

namespace fletcher::annotate {

/// `function` is where the runtime keeps what it is about to call. Waits for the part before to return.
/// `sanitizer` stays.
void begin_part(const ThreadSanitizer& sanitizer, Task& task, Address function);

} // namespace fletcher::annotate
