// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX semaphores and once-only initialisation: who goes on comes after who let it.

#include "checker/constructs/strand.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/interpose/threads/once.hpp"

#include <semaphore.h>
#include <time.h>
#include <utility>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(sem_t*)> real_sem_wait{"sem_wait"}, real_sem_trywait{"sem_trywait"}, real_sem_post{"sem_post"};
constinit Real<int(sem_t*, const timespec*)> real_sem_timedwait{"sem_timedwait"};
constinit Real<int(sem_t*, clockid_t, const timespec*)> real_sem_clockwait{"sem_clockwait"};
constinit Real<int(pthread_once_t*, void (*)())> real_once{"pthread_once"};

int passed(sem_t* semaphore, int error) {
  if (error == 0) acquire(semaphore);
  return error;
}

/// The routine has no argument, so what it stands for is left on the thread; calls nest.
struct Once {
  pthread_once_t* control = nullptr;
  void (*routine)() = nullptr;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Once current_once{};

void run_once() {
  const Once once = current_once;
  if (access::ThreadState* const thread = outside_tool()) constructs::goes_alone(*thread);
  once.routine();
  release(once.control);
}

} // namespace

void fletcher::interpose::initialise_once(pthread_once_t* control, void (*routine)(),
                                          int (*once)(pthread_once_t*, void (*)())) {
  // An exception or a cancellation in the routine leaves the memory of it behind, which only the next call reads.
  const Once outer = std::exchange(current_once, Once{control, routine});
  once(control, run_once);
  current_once = outer;
  acquire(control);
}

#pragma GCC visibility push(default)
extern "C" {

int sem_post(sem_t* semaphore) noexcept {
  if (is_told(caller())) [[unlikely]]
    release(semaphore);
  return real_sem_post(semaphore);
}
int sem_wait(sem_t* semaphore) {
  if (!is_told(caller())) [[likely]]
    return real_sem_wait(semaphore);
  return passed(semaphore, real_sem_wait(semaphore));
}
int sem_trywait(sem_t* semaphore) noexcept {
  if (!is_told(caller())) [[likely]]
    return real_sem_trywait(semaphore);
  return passed(semaphore, real_sem_trywait(semaphore));
}
int sem_timedwait(sem_t* semaphore, const timespec* until) {
  if (!is_told(caller())) [[likely]]
    return real_sem_timedwait(semaphore, until);
  return passed(semaphore, real_sem_timedwait(semaphore, until));
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  if (!is_told(caller())) [[likely]]
    return real_sem_clockwait(semaphore, clock, until);
  return passed(semaphore, real_sem_clockwait(semaphore, clock, until));
}

// The C++ library initialises what is its own, as locales, when a thread comes there first. Which one that is, is
// chance: what it did before would come before all that others do afterwards.
int pthread_once(pthread_once_t* control, void (*routine)()) {
  const Address pc = caller();
  if (!is_told(pc) || modules::cxx.contains(pc)) [[likely]]
    return real_once(control, routine);
  initialise_once(control, routine, real_once.get());
  return 0;
}

} // extern "C"
#pragma GCC visibility pop
