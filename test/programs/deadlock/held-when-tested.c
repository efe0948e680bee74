// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that try a lock and go on without it, while their creator holds it and waits for them.
// Nobody waits for the lock.
// expect: silent
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "luck.h"

static omp_lock_t lock;
static int got, missed;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 8; i++) {
#pragma omp task
      {
        if (omp_test_lock(&lock)) {
          got++;
          omp_unset_lock(&lock);
        } else {
#pragma omp atomic
          missed++;
        }
        luck_happens();
      }
      if (i == 3) {
        await_luck(4);
        omp_set_lock(&lock);
      }
    }
#pragma omp taskwait
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("%d\n", got + missed);
  return got + missed == 8 ? 0 : 1;
}
