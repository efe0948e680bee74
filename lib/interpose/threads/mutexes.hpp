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

/// A mutex that is left while this lives. A thread that is cancelled has the mutex, too, when its handlers run.
class Left {
public:
  Left(pthread_mutex_t* lock, Address pc) : lock_(lock), pc_(pc) { releasing(lock, pc); }
  ~Left() { acquired(lock_, pc_); }
  Left(const Left&) = delete;
  Left& operator=(const Left&) = delete;

private:
  pthread_mutex_t* lock_;
  Address pc_;
};

/// `wait` waits for the condition: it leaves the mutex and takes it again. Returns what that does, zero where it was
/// signalled.
template <class Wait> int waited(const volatile void* condition, pthread_mutex_t* lock, Address pc, Wait wait) {
  const auto leaving = [&] {
    const Left left(lock, pc);
    return wait();
  };
  const int error = leaving();
  if (error == 0) acquire(condition);
  return error;
}

} // namespace fletcher::interpose::locks
