// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a team exchange values with their neighbours by a barrier of POSIX, several times.
// Fixed: all have read when one goes on.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

enum { threads = 3, rounds = 20 };

static pthread_barrier_t barrier;
static int given[threads];

int main(void) {
  int total = 0, members = 0;
  pthread_barrier_init(&barrier, NULL, threads);
#pragma omp parallel num_threads(threads) reduction(+ : total)
  {
    const int me = omp_get_thread_num();
#pragma omp single
    members = omp_get_num_threads();
    for (int round = 0; members == threads && round < rounds; round++) {
      given[me] = round;
      pthread_barrier_wait(&barrier);
      total += given[(me + 1) % threads];
      pthread_barrier_wait(&barrier);
    }
  }
  pthread_barrier_destroy(&barrier);
  printf("total = %d\n", total);
  return total >= 0 ? 0 : 1;
}
