// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads take two mutexes of C11; each has one of them before the other thread goes on.
// Bug: they take them in opposite orders, and each waits for the other's.
// threads: 2
// levels: native graph
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

static int x;
static mtx_t mutex[2];
static pthread_barrier_t both;

int main(void) {
  mtx_init(&mutex[0], mtx_plain);
  mtx_init(&mutex[1], mtx_plain);
  pthread_barrier_init(&both, NULL, 2);
#pragma omp parallel num_threads(2)
  {
    const int first = omp_get_thread_num();
    mtx_lock(&mutex[first]);
    pthread_barrier_wait(&both);
    mtx_lock(&mutex[1 - first]); // FINDING(dependence-cycle) MAY(lock-order-cycle)
    x++;
    mtx_unlock(&mutex[1 - first]);
    mtx_unlock(&mutex[first]);
  }
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
