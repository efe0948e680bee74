// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the OpenMP runtime and this library do for themselves. ThreadSanitizer's interceptors take their calls as well
// as the program's, but do not see what orders them. `fletcher run` has ThreadSanitizer pass by them with a list of
// suppressions (tools/cli/tsan.supp), which nobody can give it once it has begun.
#pragma once

#include "lib/annotate/thread_sanitizer.hpp"

namespace fletcher::annotate {

/// The two call libc's functions, where nothing but ThreadSanitizer's knowledge depends on it; what has to go to its
/// allocator is ignored there. `sanitizer` stays.
void call_unseen(const ThreadSanitizer& sanitizer);

} // namespace fletcher::annotate
