// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A word that says whether something has been initialised, in the values that ThreadSanitizer's interceptors leave in
// once controls and in the guards of C++'s statics. Libc and the C++ runtime use others: to them a control that is done
// looks as if another thread were at it forever. So a tool that takes over from ThreadSanitizer goes on with these.
#pragma once

#include <pthread.h>

namespace fletcher::interpose::guard_words {

// As pthread_once and __cxa_guard_acquire, _release and _abort. An exception, or the thread's end, in the routine
// leaves the control as it was.
int once(pthread_once_t* control, void (*routine)());
int acquire(long long* guard) noexcept;
void release(long long* guard) noexcept;
void abort(long long* guard) noexcept;

} // namespace fletcher::interpose::guard_words
