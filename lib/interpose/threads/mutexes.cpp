// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX mutexes, spin locks and condition variables (and C++'s, which are made of them), where the program uses them.

#include "lib/interpose/threads/mutexes.hpp"

#include "lib/interpose/real.hpp"
#include "lib/interpose/threads/patience.hpp"

#include <sys/time.h>
#include <time.h>

#include <array>
#include <cstddef>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(pthread_mutex_t*) noexcept> real_lock{"pthread_mutex_lock"}, real_trylock{"pthread_mutex_trylock"},
    real_unlock{"pthread_mutex_unlock"}, real_destroy{"pthread_mutex_destroy"};
constinit Real<int(pthread_mutex_t*, const timespec*) noexcept> real_timedlock{"pthread_mutex_timedlock"};
constinit Real<int(pthread_mutex_t*, clockid_t, const timespec*) noexcept> real_clocklock{"pthread_mutex_clocklock"};
constinit Real<int(pthread_spinlock_t*) noexcept> real_spin_lock{"pthread_spin_lock"},
    real_spin_trylock{"pthread_spin_trylock"}, real_spin_unlock{"pthread_spin_unlock"};
constinit Real<int(pthread_cond_t*, pthread_mutex_t*)> real_wait{"pthread_cond_wait"};
constinit Real<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> real_timedwait{"pthread_cond_timedwait"};
constinit Real<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> real_clockwait{
    "pthread_cond_clockwait"};
constinit Real<int(pthread_cond_t*) noexcept> real_signal{"pthread_cond_signal"},
    real_broadcast{"pthread_cond_broadcast"};

constexpr int robust_owner_died = 130; ///< EOWNERDEAD: the lock is held all the same

/// The locks that this thread has and whose taking was reported, as far as there is room. A library's function may end
/// with a jump to pthread_mutex_unlock, which then seems to be called by that function's caller, maybe one that is not
/// reported.
struct Told {
  std::array<const pthread_mutex_t*, 8> locks{};
  std::size_t count = 0;

  void add(const pthread_mutex_t* lock) noexcept {
    if (count < locks.size()) locks[count++] = lock;
  }
  bool remove(const pthread_mutex_t* lock) noexcept {
    for (std::size_t i = count; i-- > 0;)
      if (locks[i] == lock) {
        locks[i] = locks[--count];
        return true;
      }
    return false;
  }
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Told told{};

bool is_held(int error) noexcept { return error == 0 || error == robust_owner_died; }

/// How deep the holder is in a recursive mutex; 1 for others. To be asked by the holder.
unsigned depth(const pthread_mutex_t& lock) noexcept {
#if defined(__GLIBC__)
  constexpr int type_bits = 3;
  if ((lock.__data.__kind & type_bits) == PTHREAD_MUTEX_RECURSIVE_NP) return lock.__data.__count;
#endif
  return 1;
}

/// A look does not take the line from the lock's holder, which will release it.
bool looks_taken(const pthread_mutex_t& lock) noexcept {
#if defined(__GLIBC__)
  return __atomic_load_n(&lock.__data.__lock, __ATOMIC_RELAXED) != 0;
#else
  return false;
#endif
}

int lock_patiently(pthread_mutex_t* lock) noexcept {
  return patience.wait_for([&]() noexcept { return real_trylock(lock); },
                           [&]() noexcept { return looks_taken(*lock) ? EBUSY : real_trylock(lock); },
                           [&]() noexcept { return real_lock(lock); });
}

} // namespace

namespace fletcher::interpose::locks {

void look_up() noexcept {
  real_lock.get(), real_trylock.get(), real_unlock.get();
  real_wait.get(), real_timedwait.get(), real_signal.get(), real_broadcast.get();
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now); // which this library stands in front of, too
  timeval of_day{};
  gettimeofday(&of_day, nullptr);
}

int taken(pthread_mutex_t* lock, int error, Address pc) {
  if (!is_held(error))
    gave_up(lock, pc);
  else if (depth(*lock) == 1)
    told.add(lock), acquired(lock, pc);
  else
    mutex(lock, MutexStep::nested, pc);
  return error;
}

[[gnu::noinline]] void left(pthread_mutex_t* lock, Address pc) {
  if (depth(*lock) == 1)
    releasing(lock, pc);
  else
    mutex(lock, MutexStep::unnested, pc);
}

} // namespace fletcher::interpose::locks

#pragma GCC visibility push(default)
extern "C" {

int pthread_mutex_lock(pthread_mutex_t* lock) noexcept {
  const Address pc = caller();
  if (!is_told(pc)) [[likely]]
    return real_lock(lock);
  locks::waiting(lock, pc);
  return locks::taken(lock, lock_patiently(lock), pc);
}
int pthread_mutex_trylock(pthread_mutex_t* lock) noexcept {
  const Address pc = caller();
  if (!is_told(pc)) [[likely]]
    return real_trylock(lock);
  return locks::taken(lock, real_trylock(lock), pc);
}
int pthread_mutex_timedlock(pthread_mutex_t* lock, const timespec* until) noexcept {
  const Address pc = caller();
  if (!is_told(pc)) [[likely]]
    return real_timedlock(lock, until);
  return locks::taken(lock, real_timedlock(lock, until), pc);
}
int pthread_mutex_clocklock(pthread_mutex_t* lock, clockid_t clock, const timespec* until) noexcept {
  const Address pc = caller();
  if (!is_told(pc)) [[likely]]
    return real_clocklock(lock, clock, until);
  return locks::taken(lock, real_clocklock(lock, clock, until), pc);
}
int pthread_mutex_unlock(pthread_mutex_t* lock) noexcept {
  const Address pc = caller();
  const bool was_told = told.count != 0 && depth(*lock) == 1 && told.remove(lock);
  if (is_told(pc) || (was_told && !tool::InsideTool::here())) [[unlikely]]
    locks::left(lock, pc);
  return real_unlock(lock);
}
int pthread_mutex_destroy(pthread_mutex_t* lock) noexcept {
  const Address pc = caller();
  if (is_told(pc)) [[unlikely]]
    mutex(lock, MutexStep::destroy, pc);
  return real_destroy(lock);
}

int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  const Address pc = caller();
  if (!is_told(pc)) [[likely]]
    return real_spin_lock(lock);
  locks::waiting(const_cast<int*>(lock), pc);
  const int error = real_spin_lock(lock);
  if (error == 0) locks::acquired(const_cast<int*>(lock), pc);
  return error;
}
int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  const Address pc = caller();
  if (!is_told(pc)) [[likely]]
    return real_spin_trylock(lock);
  const int error = real_spin_trylock(lock);
  if (error == 0) locks::acquired(lock, pc);
  return error;
}
int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  const Address pc = caller();
  if (is_told(pc)) [[unlikely]]
    locks::releasing(lock, pc);
  return real_spin_unlock(lock);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* lock) {
  const Address pc = caller();
  if (!is_told(pc)) [[likely]]
    return real_wait(condition, lock);
  return locks::waited(condition, lock, pc, [=] { return real_wait(condition, lock); });
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* lock, const timespec* until) {
  const Address pc = caller();
  if (!is_told(pc)) [[likely]]
    return real_timedwait(condition, lock, until);
  return locks::waited(condition, lock, pc, [=] { return real_timedwait(condition, lock, until); });
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* lock, clockid_t clock, const timespec* until) {
  const Address pc = caller();
  if (!is_told(pc)) [[likely]]
    return real_clockwait(condition, lock, clock, until);
  return locks::waited(condition, lock, pc, [=] { return real_clockwait(condition, lock, clock, until); });
}
int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (is_told(caller())) [[unlikely]]
    release(condition);
  return real_signal(condition);
}
int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (is_told(caller())) [[unlikely]]
    release(condition);
  return real_broadcast(condition);
}

} // extern "C"
#pragma GCC visibility pop
