// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads, mutexes, condition variables and once-only initialisation of C11. In glibc they are POSIX's under other
// types, but call them past what stands in front of those. Beginnings and ends of threads go on to POSIX's functions
// here, because only of these ThreadSanitizer, where it was taken over, learns which threads there are.

#include "lib/interpose/threads/mutexes.hpp"
#include "lib/interpose/threads/of_libc.hpp"
#include "lib/interpose/threads/once.hpp"
#include "lib/interpose/threads/threads.hpp"

#include <threads.h>
#include <time.h>

#include <cerrno>
#include <type_traits>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit OfLibc<int(thrd_t*, thrd_start_t, void*)> real_create{"thrd_create"};
constinit OfLibc<void(int)> real_exit{"thrd_exit"};
constinit OfLibc<int(thrd_t, int*)> real_join{"thrd_join"};
constinit OfLibc<int(thrd_t)> real_detach{"thrd_detach"};
constinit OfLibc<int(mtx_t*)> real_lock{"mtx_lock"}, real_trylock{"mtx_trylock"}, real_unlock{"mtx_unlock"};
constinit OfLibc<int(mtx_t*, const timespec*)> real_timedlock{"mtx_timedlock"};
constinit OfLibc<void(mtx_t*)> real_destroy{"mtx_destroy"};
constinit OfLibc<int(cnd_t*, mtx_t*)> real_wait{"cnd_wait"};
constinit OfLibc<int(cnd_t*, mtx_t*, const timespec*)> real_timedwait{"cnd_timedwait"};
constinit OfLibc<int(cnd_t*)> real_signal{"cnd_signal"}, real_broadcast{"cnd_broadcast"};
constinit OfLibc<void(once_flag*, void (*)())> real_once{"call_once"};

static_assert(std::is_same_v<thrd_t, pthread_t>);
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(once_flag) == sizeof(pthread_once_t));
static_assert(thrd_success == 0); // as for POSIX's functions

pthread_mutex_t* posix(mtx_t* lock) noexcept { return reinterpret_cast<pthread_mutex_t*>(lock); }

/// What glibc's functions of C11 return where POSIX's returned `error`.
int in_c11(int error) noexcept {
  switch (error) {
  case 0:
    return thrd_success;
  case EBUSY:
    return thrd_busy;
  case ENOMEM:
    return thrd_nomem;
  case ETIMEDOUT:
    return thrd_timedout;
  default:
    return thrd_error;
  }
}

[[gnu::always_inline]] inline bool is_told(Address pc, auto& real) noexcept {
  return interpose::is_told(pc) && real.is_libcs();
}
/// The call locks, unlocks or initialises once: ThreadSanitizer does not know that.
[[gnu::always_inline]] inline bool is_told_of_lock(Address pc, auto& real) noexcept {
  return interpose::is_told(pc, false) && real.is_libcs();
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
  modules::find_runtimes(); // as for pthread_create
  if (observed(caller()) == nullptr || !real_create.is_libcs()) [[likely]]
    return real_create(thread, routine, argument);
  return in_c11(threads::create(thread, nullptr, {.of_c11 = routine}, argument));
}
void thrd_exit(int result) {
  if (observed(caller()) != nullptr && real_exit.is_libcs()) {
    threads::publish_end();
    threads::leave(threads::result_of_c11(result));
  }
  real_exit(result);
  __builtin_unreachable();
}
int thrd_join(thrd_t thread, int* result) {
  if (!is_told(caller(), real_join)) [[likely]]
    return real_join(thread, result);
  void* kept = nullptr;
  const int error = threads::join(thread, &kept);
  if (result != nullptr) *result = threads::result_for_c11(kept);
  return in_c11(error);
}
int thrd_detach(thrd_t thread) {
  if (!is_told(caller(), real_detach)) [[likely]]
    return real_detach(thread);
  return in_c11(pthread_detach(thread));
}

int mtx_lock(mtx_t* lock) {
  const Address pc = caller();
  if (!is_told_of_lock(pc, real_lock)) [[likely]]
    return real_lock(lock);
  locks::waiting(lock, pc);
  return locks::taken(posix(lock), real_lock(lock), pc);
}
int mtx_trylock(mtx_t* lock) {
  const Address pc = caller();
  if (!is_told_of_lock(pc, real_trylock)) [[likely]]
    return real_trylock(lock);
  return locks::taken(posix(lock), real_trylock(lock), pc);
}
int mtx_timedlock(mtx_t* lock, const timespec* until) {
  const Address pc = caller();
  if (!is_told_of_lock(pc, real_timedlock)) [[likely]]
    return real_timedlock(lock, until);
  return locks::taken(posix(lock), real_timedlock(lock, until), pc);
}
int mtx_unlock(mtx_t* lock) {
  const Address pc = caller();
  if (is_told_of_lock(pc, real_unlock)) [[unlikely]]
    locks::left(posix(lock), pc);
  return real_unlock(lock);
}
void mtx_destroy(mtx_t* lock) {
  const Address pc = caller();
  if (is_told_of_lock(pc, real_destroy)) [[unlikely]]
    mutex(lock, MutexStep::destroy, pc);
  real_destroy(lock);
}

int cnd_wait(cnd_t* condition, mtx_t* lock) {
  const Address pc = caller();
  if (!is_told_of_lock(pc, real_wait)) [[likely]]
    return real_wait(condition, lock);
  return locks::waited(condition, posix(lock), pc, [=] { return real_wait(condition, lock); });
}
int cnd_timedwait(cnd_t* condition, mtx_t* lock, const timespec* until) {
  const Address pc = caller();
  if (!is_told_of_lock(pc, real_timedwait)) [[likely]]
    return real_timedwait(condition, lock, until);
  return locks::waited(condition, posix(lock), pc, [=] { return real_timedwait(condition, lock, until); });
}
int cnd_signal(cnd_t* condition) {
  if (is_told(caller(), real_signal)) [[unlikely]]
    release(condition);
  return real_signal(condition);
}
int cnd_broadcast(cnd_t* condition) {
  if (is_told(caller(), real_broadcast)) [[unlikely]]
    release(condition);
  return real_broadcast(condition);
}

void call_once(once_flag* control, void (*routine)()) {
  if (!is_told_of_lock(caller(), real_once)) [[likely]]
    return real_once(control, routine);
  // Libc's own values: ThreadSanitizer has no part in this function, as it has in pthread_once.
  initialise_once(&control->__data, routine, [](pthread_once_t* libcs, void (*run)()) {
    real_once(reinterpret_cast<once_flag*>(libcs), run);
    return 0;
  });
}

} // extern "C"
#pragma GCC visibility pop
