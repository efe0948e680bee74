// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each way of C11 to order or exclude two threads, used correctly: nothing may be found, and all results are C11's.
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

enum { rounds = 200 };
static mtx_t lock, recursive, timed;
static cnd_t changed, never;
static once_flag once = ONCE_FLAG_INIT;

static int under_lock, under_recursive, under_timed, ready, handed, by_once, by_detached, detached_is_done;

static void initialise(void) { by_once = 42; }

static struct timespec in(long nanoseconds) {
  struct timespec at;
  timespec_get(&at, TIME_UTC);
  at.tv_nsec += nanoseconds;
  at.tv_sec += at.tv_nsec / 1000000000;
  at.tv_nsec %= 1000000000;
  return at;
}

static int work(void* argument) {
  const int me = *(const int*)argument; // ordered by creation
  call_once(&once, initialise);
  int bad = by_once != 42;
  for (int i = 0; i < rounds; i++) {
    bad |= mtx_lock(&lock) != thrd_success;
    under_lock++;
    bad |= mtx_unlock(&lock) != thrd_success;
    mtx_lock(&recursive);
    bad |= mtx_trylock(&recursive) != thrd_success;
    under_recursive++;
    mtx_unlock(&recursive);
    under_recursive++;
    mtx_unlock(&recursive);
    const struct timespec until = in(1000000);
    const int got = mtx_timedlock(&timed, &until);
    if (got == thrd_success) {
      under_timed++;
      mtx_unlock(&timed);
    } else
      bad |= got != thrd_timedout;
    const int tried = mtx_trylock(&lock);
    if (tried == thrd_success) {
      under_lock += 0;
      mtx_unlock(&lock);
    } else
      bad |= tried != thrd_busy;
  }
  // What is handed over is used outside the lock.
  if (me == 0) {
    handed = 7;
    mtx_lock(&lock);
    ready = 1;
    bad |= cnd_broadcast(&changed) != thrd_success;
    mtx_unlock(&lock);
  } else {
    mtx_lock(&lock);
    while (!ready) bad |= cnd_wait(&changed, &lock) != thrd_success;
    const struct timespec until = in(1000000);
    bad |= cnd_timedwait(&never, &lock, &until) != thrd_timedout;
    under_lock += 0;
    mtx_unlock(&lock);
    bad |= handed != 7;
  }
  if (me == 0) thrd_exit(10 + bad);
  return 10 + bad;
}

static int work_detached(void* argument) {
  by_detached = 5;
  mtx_lock(&lock);
  detached_is_done = 1;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  return argument != NULL;
}

int main(void) {
  mtx_init(&lock, mtx_plain);
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  mtx_init(&timed, mtx_timed);
  cnd_init(&changed);
  cnd_init(&never);
  thrd_t threads[2], detached;
  int numbers[2] = {0, 1}, bad = 0;
  for (int i = 0; i < 2; i++) bad |= thrd_create(&threads[i], work, &numbers[i]) != thrd_success;
  for (int i = 0; i < 2; i++) {
    int result = 0;
    bad |= thrd_join(threads[i], &result) != thrd_success || result != 10;
  }
  bad |= under_lock != 2 * rounds || under_recursive != 4 * rounds; // ordered by the joins
  bad |= under_timed > 2 * rounds;
  thrd_create(&detached, work_detached, NULL);
  bad |= thrd_detach(detached) != thrd_success;
  mtx_lock(&lock);
  while (!detached_is_done) cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  bad |= by_detached != 5;
  cnd_destroy(&changed);
  cnd_destroy(&never);
  mtx_destroy(&lock);
  mtx_destroy(&recursive);
  mtx_destroy(&timed);
  puts(bad ? "wrong" : "ok");
  return 0;
}
