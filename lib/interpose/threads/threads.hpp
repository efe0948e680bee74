// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lives of threads that the program itself creates, by POSIX's functions or C11's, as they are reported to the
// checker. All end in the process's functions of POSIX.
#pragma once

#include "checker/ids.hpp"

#include <pthread.h>

namespace fletcher::interpose::threads {

/// What a thread executes: one of the two.
struct Routine {
  void* (*of_posix)(void*) = nullptr;
  int (*of_c11)(void*) = nullptr;
};

/// C11's results of threads are kept in POSIX's, as glibc does.
inline void* result_of_c11(int result) noexcept { return reinterpret_cast<void*>(static_cast<Address>(result)); }
inline int result_for_c11(void* result) noexcept { return static_cast<int>(reinterpret_cast<Address>(result)); }

/// To be called where the caller is observed.
int create(pthread_t* thread, const pthread_attr_t* attributes, Routine routine, void* argument);
/// The calling thread, which is attached, is detached when it ends.
void expect_end();
/// The calling thread comes to its end: who joins it comes after this.
void publish_end();
[[noreturn]] void leave(void* result);
/// To be called where the caller is reported.
int join(pthread_t thread, void** result);

} // namespace fletcher::interpose::threads
