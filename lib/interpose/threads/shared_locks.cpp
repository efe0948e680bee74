// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX readers-writer locks (and std::shared_mutex).

#include "lib/interpose/real.hpp"
#include "lib/interpose/threads/locks.hpp"
#include "lib/interpose/threads/patience.hpp"

#include <pthread.h>
#include <time.h>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(pthread_rwlock_t*) noexcept> real_rdlock{"pthread_rwlock_rdlock"},
    real_tryrdlock{"pthread_rwlock_tryrdlock"}, real_wrlock{"pthread_rwlock_wrlock"},
    real_trywrlock{"pthread_rwlock_trywrlock"}, real_unlock{"pthread_rwlock_unlock"};
constinit Real<int(pthread_rwlock_t*, const timespec*) noexcept> real_timedrdlock{"pthread_rwlock_timedrdlock"},
    real_timedwrlock{"pthread_rwlock_timedwrlock"};
constinit Real<int(pthread_rwlock_t*, clockid_t, const timespec*) noexcept> real_clockrdlock{
    "pthread_rwlock_clockrdlock"},
    real_clockwrlock{"pthread_rwlock_clockwrlock"};

/// ThreadSanitizer does not know the functions that are told which clock to use. One lock's calls are all reported.
[[gnu::always_inline]] inline bool is_told_of_lock(Address pc) noexcept { return is_told(pc, false); }

int taken_to_read(pthread_rwlock_t* lock, int error) {
  if (error == 0) locks::acquired_to_read(lock);
  return error;
}
int taken_to_write(pthread_rwlock_t* lock, int error, Address pc) {
  if (error == 0)
    locks::acquired_to_write(lock, pc);
  else
    locks::gave_up(lock, pc);
  return error;
}

/// Whether the caller, who holds the lock, holds it as a writer.
bool is_writing(const pthread_rwlock_t& lock) noexcept {
#if defined(__GLIBC__)
  return lock.__data.__cur_writer != 0;
#else
  return true;
#endif
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (!is_told_of_lock(caller())) [[likely]]
    return real_rdlock(lock);
  const auto take = [&]() noexcept { return real_tryrdlock(lock); };
  return taken_to_read(lock, patience.wait_for(take, take, [&]() noexcept { return real_rdlock(lock); }));
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  if (!is_told_of_lock(caller())) [[likely]]
    return real_tryrdlock(lock);
  return taken_to_read(lock, real_tryrdlock(lock));
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
  if (!is_told_of_lock(caller())) [[likely]]
    return real_timedrdlock(lock, until);
  return taken_to_read(lock, real_timedrdlock(lock, until));
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) noexcept {
  if (!is_told_of_lock(caller())) [[likely]]
    return real_clockrdlock(lock, clock, until);
  return taken_to_read(lock, real_clockrdlock(lock, clock, until));
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  const Address pc = caller();
  if (!is_told_of_lock(pc)) [[likely]]
    return real_wrlock(lock);
  locks::waiting(lock, pc);
  const auto take = [&]() noexcept { return real_trywrlock(lock); };
  return taken_to_write(lock, patience.wait_for(take, take, [&]() noexcept { return real_wrlock(lock); }), pc);
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  const Address pc = caller();
  if (!is_told_of_lock(pc)) [[likely]]
    return real_trywrlock(lock);
  return taken_to_write(lock, real_trywrlock(lock), pc);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
  const Address pc = caller();
  if (!is_told_of_lock(pc)) [[likely]]
    return real_timedwrlock(lock, until);
  return taken_to_write(lock, real_timedwrlock(lock, until), pc);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) noexcept {
  const Address pc = caller();
  if (!is_told_of_lock(pc)) [[likely]]
    return real_clockwrlock(lock, clock, until);
  return taken_to_write(lock, real_clockwrlock(lock, clock, until), pc);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  const Address pc = caller();
  if (is_told_of_lock(pc)) [[unlikely]] {
    if (is_writing(*lock))
      locks::releasing_after_write(lock, pc);
    else
      locks::releasing_after_read(lock);
  }
  return real_unlock(lock);
}

} // extern "C"
#pragma GCC visibility pop
