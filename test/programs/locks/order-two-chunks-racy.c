// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two chunks of a dynamic loop take two locks in opposite orders.
// Racy: two threads may execute them at the same time, also where one thread happens to execute both.
// threads: 1
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>

static omp_lock_t a, b;
static int n;

static void both(omp_lock_t* first, omp_lock_t* second) {
  omp_set_lock(first);
  omp_set_lock(second); // FINDING(lock-order-cycle)
  n++;
  omp_unset_lock(second);
  omp_unset_lock(first);
}

int main(void) {
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 2; i++) {
    if (i == 0)
      both(&a, &b);
    else
      both(&b, &a);
  }
  printf("n = %d\n", n);
  omp_destroy_lock(&a);
  omp_destroy_lock(&b);
  return n == 2 ? 0 : 1;
}
