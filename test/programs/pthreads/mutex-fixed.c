// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a team use a pthread mutex.
// Fixed: all of them do.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

__attribute__((noinline)) static void add(void) {
  pthread_mutex_lock(&mutex);
  total += 1;
  pthread_mutex_unlock(&mutex);
}

__attribute__((noinline)) static void take(void) {
  pthread_mutex_lock(&mutex);
  total -= 3;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0)
      take();
    else
      add();
  }
  printf("total = %d\n", total);
  return total == omp_get_max_threads() - 4 ? 0 : 1;
}
