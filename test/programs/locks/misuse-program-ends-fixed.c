// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The initial task takes a lock for what it does between two regions.
// Fixed: it lets go of it on each way.
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int total;

static void round_of_all(void) {
  omp_set_lock(&lock);
  total *= 2;
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
  total = 1;
  while (total < 1000) {
    int n = 0;
#pragma omp parallel reduction(+ : n)
    n++;
    total += n > 0;
    round_of_all();
  }
  printf("%d\n", total);
  return 0;
}
