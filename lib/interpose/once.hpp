// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Once-only initialisation of POSIX's kind, which C11's is, too.
#pragma once

#include <pthread.h>

namespace fletcher::interpose {

/// pthread_once for a caller that is told of.
int initialise_once(pthread_once_t* control, void (*routine)());

} // namespace fletcher::interpose
