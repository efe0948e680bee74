// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutexes of every kind, and readers-writer locks, that several threads want at a time: the calls return what they
// return without a checker, and each excludes.
// expect: silent
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

enum { times = 2000, kinds = 3 };
static const int kind_of[kinds] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_RECURSIVE};
static pthread_mutex_t of_kind[kinds], robust;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static long counted[kinds], by_robust, written;

static void set_up(void) {
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  for (int i = 0; i < kinds; ++i) {
    pthread_mutexattr_settype(&how, kind_of[i]);
    pthread_mutex_init(&of_kind[i], &how);
  }
  pthread_mutexattr_settype(&how, PTHREAD_MUTEX_NORMAL);
  pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &how);
  pthread_mutexattr_destroy(&how);
}

static void* take_and_end(void* ignored) {
  pthread_mutex_lock(&robust);
  return ignored;
}

int main(void) {
  set_up();
  pthread_t owner;
  pthread_create(&owner, NULL, take_and_end, NULL);
  pthread_join(owner, NULL);
  int wrong = pthread_mutex_lock(&robust) != EOWNERDEAD;
  pthread_mutex_consistent(&robust);
  pthread_mutex_unlock(&robust);

  long read = 0;
#pragma omp parallel reduction(+ : wrong, read)
  for (int n = 0; n < times; ++n) {
    for (int i = 0; i < kinds; ++i) {
      wrong += pthread_mutex_lock(&of_kind[i]) != 0;
      if (kind_of[i] == PTHREAD_MUTEX_ERRORCHECK) wrong += pthread_mutex_lock(&of_kind[i]) != EDEADLK;
      if (kind_of[i] == PTHREAD_MUTEX_RECURSIVE) {
        wrong += pthread_mutex_lock(&of_kind[i]) != 0;
        pthread_mutex_unlock(&of_kind[i]);
      }
      ++counted[i];
      pthread_mutex_unlock(&of_kind[i]);
    }
    wrong += pthread_mutex_lock(&robust) != 0;
    ++by_robust;
    pthread_mutex_unlock(&robust);
    if (n % 8 == 0) {
      pthread_rwlock_wrlock(&shared);
      ++written;
    } else {
      pthread_rwlock_rdlock(&shared);
      read += written;
    }
    pthread_rwlock_unlock(&shared);
  }
  for (int i = 0; i < kinds; ++i) wrong += counted[i] != by_robust;
  wrong += written != by_robust / 8 || read < 0;
  if (wrong != 0) printf("%d calls went wrong\n", wrong);
  return wrong != 0;
}
