// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Once-only initialisation of POSIX's kind, which C11's is, too.
#pragma once

#include <pthread.h>

namespace fletcher::interpose {

/// `once(control, routine)` for a caller that is reported; `once` is pthread_once or what does the same.
void initialise_once(pthread_once_t* control, void (*routine)(), int (*once)(pthread_once_t*, void (*)()));

} // namespace fletcher::interpose
