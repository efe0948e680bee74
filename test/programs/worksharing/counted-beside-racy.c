// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before a dynamic loop or in it something is counted, or printed by one thread: that tells no thread where to write.
// Racy: all iterations write the same variable, and which thread has which of them is chance.
// threads: 2 8
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>

enum { n = 32 };
static _Thread_local int mine;

int main(void) {
  int last[8] = {0}, counter = 0, product = 1, most = 0;
  double sum = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    counter += 1;
#pragma omp atomic
    product *= 3;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) last[0] = i; // RACE(1,1)
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    sum += 0.5;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) last[1] = i; // RACE(2,2)
  }
#pragma omp parallel num_threads(2)
  {
    omp_set_lock(&lock);
    sum += 0.5;
    omp_unset_lock(&lock);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) last[2] = i; // RACE(3,3)
  }
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) printf("start\n");
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) last[3] = i; // RACE(4,4)
  }
#pragma omp parallel num_threads(2)
  {
    mine++;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) last[4] = i; // RACE(5,5)
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    if (most < n) most = n;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) last[5] = i; // RACE(6,6)
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    sum += 0.5;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) last[6] = i; // RACE(7,7)
  }
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < n; i++) {
#pragma omp critical
    if (most < i) most = i;
    last[7] = i; // RACE(8,8)
  }
  omp_destroy_lock(&lock);
  printf("counter = %d, product = %d, most = %d, sum = %g, last = %d\n", counter, product, most, sum, last[0]);
  return 0;
}
