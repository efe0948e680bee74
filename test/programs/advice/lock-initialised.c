// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of the single is needed for the lock, which is initialised there.
// threads: 2 8
// expect: silent
// environment: FLETCHER_OPTIONS=advise=1
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int count;

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    count++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("%d\n", count > 0);
}
