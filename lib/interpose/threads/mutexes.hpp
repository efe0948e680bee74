// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call means that takes or leaves a mutex of POSIX's kind, which C11's are, too. Recursive ones count once.
#pragma once

#include "lib/interpose/threads/locks.hpp"

#include <pthread.h>

namespace fletcher::interpose::locks {

/// Looks up the functions of libc behind those that a worker of the runtime waits by. It may call its first one while
/// another thread is in dlopen, whose lock a lookup takes, and waits in a constructor for that worker.
void look_up() noexcept;

/// After a call that was to take it. Returns `error`, which is zero where it did.
int taken(pthread_mutex_t* lock, int error, Address pc);
/// Before a call that releases it.
void left(pthread_mutex_t* lock, Address pc);

/// `wait` waits for the condition: it leaves the mutex and takes it again. Returns what that does, zero where it was
/// signalled.
template <class Wait> int waited(const volatile void* condition, pthread_mutex_t* lock, Address pc, Wait wait) {
  releasing(lock, pc);
  const int error = wait();
  acquired(lock, pc);
  if (error == 0) acquire(condition);
  return error;
}

} // namespace fletcher::interpose::locks
