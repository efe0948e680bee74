// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads take two mutexes of POSIX; each has one of them before the other thread goes on.
// Bug: they take them in opposite orders, and each waits for the other's.
// threads: 2
// levels: native graph
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static int x;
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t both;

int main(void) {
  pthread_barrier_init(&both, NULL, 2);
#pragma omp parallel num_threads(2)
  {
    const int first = omp_get_thread_num();
    pthread_mutex_lock(&mutex[first]);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&mutex[1 - first]); // FINDING(dependence-cycle) MAY(lock-order-cycle)
    x++;
    pthread_mutex_unlock(&mutex[1 - first]);
    pthread_mutex_unlock(&mutex[first]);
  }
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
