// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads take two locks in opposite orders, each the first one with a third lock in hand.
// Racy: what they do under the third lock keeps nobody apart.
// threads: 2 4 8
#include "one-at-a-time.h"
#include <omp.h>
#include <stdio.h>

static omp_lock_t guard, a, b;
static int begun[2], x;

static void both(int who, omp_lock_t* first, omp_lock_t* second) {
  omp_set_lock(&guard);
  begun[who] = 1;
  omp_set_lock(first);
  omp_unset_lock(&guard);
  omp_set_lock(second); // FINDING(lock-order-cycle)
  x++;
  omp_unset_lock(second);
  omp_unset_lock(first);
}

int main(void) {
  omp_init_lock(&guard);
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    begin_alone();
    if (me == 0)
      both(me, &a, &b);
    else
      both(me, &b, &a);
    end_alone();
  }
  omp_destroy_lock(&b);
  omp_destroy_lock(&a);
  omp_destroy_lock(&guard);
  printf("%d\n", x == 2 && begun[0] && begun[1]);
  return 0;
}
