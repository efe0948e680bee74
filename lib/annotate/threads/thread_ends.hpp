// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The destructors of what a worker has for itself run when the runtime has reported its end. The thread that ends the
// runtime waits for one worker after the other, unseen by ThreadSanitizer, so that all of it is in order.
#pragma once

#include "lib/annotate/thread_sanitizer.hpp"

namespace fletcher::annotate {

/// What this thread still does is nobody's access.
void ignore_rest_of_thread(const ThreadSanitizer& sanitizer) noexcept;

} // namespace fletcher::annotate
