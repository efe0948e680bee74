// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each way of POSIX to order or exclude two threads, used correctly: nothing may be found.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 200 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t filled, emptied;

static int under_lock, under_recursive, under_shared, under_spin, ready, handed, by_barrier[2], by_once, by_semaphore;

static void initialise(void) { by_once = 42; }

static void* work(void* argument) {
  const int me = *(const int*)argument; // ordered by creation
  pthread_once(&once, initialise);
  int bad = by_once != 42;
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&lock);
    under_lock++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    under_recursive++;
    pthread_mutex_unlock(&recursive);
    under_recursive++;
    pthread_mutex_unlock(&recursive);
    pthread_spin_lock(&spin);
    under_spin++;
    pthread_spin_unlock(&spin);
    if (i % 8 == me) {
      pthread_rwlock_wrlock(&shared);
      under_shared++;
      pthread_rwlock_unlock(&shared);
    } else {
      pthread_rwlock_rdlock(&shared);
      bad |= under_shared < 0;
      pthread_rwlock_unlock(&shared);
    }
    if (pthread_mutex_trylock(&lock) == 0) {
      under_lock += 0;
      pthread_mutex_unlock(&lock);
    }
    by_barrier[me] = i;
    pthread_barrier_wait(&barrier);
    bad |= by_barrier[!me] != i;
    pthread_barrier_wait(&barrier);
  }
  // What is handed over is used outside the lock.
  if (me == 0) {
    handed = 7;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < rounds; i++) {
      sem_wait(&emptied);
      by_semaphore = i;
      sem_post(&filled);
    }
  } else {
    pthread_mutex_lock(&lock);
    while (!ready) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    bad |= handed != 7;
    for (int i = 0; i < rounds; i++) {
      sem_wait(&filled);
      bad |= by_semaphore != i;
      sem_post(&emptied);
    }
  }
  int* result = malloc(sizeof *result);
  *result = bad;
  return result;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&filled, 0, 0);
  sem_init(&emptied, 0, 1);
  pthread_t threads[2];
  int numbers[2] = {0, 1}, bad = 0;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 2; i++) {
    void* result;
    pthread_join(threads[i], &result);
    bad |= *(int*)result; // ordered by the join
    free(result);
  }
  bad |= under_lock != 2 * rounds || under_recursive != 4 * rounds || under_spin != 2 * rounds || under_shared != 50;
  puts(bad ? "wrong" : "ok");
  return 0;
}
