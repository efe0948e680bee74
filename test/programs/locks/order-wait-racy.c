// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task holds the first lock in a taskwait; its child takes the second one. Another member takes the second, then the
// first.
// Bug: when the member has the second lock and the task the first one, the child waits for the member, the member for
// the task, and the task for the child. This run has them one after the other, which nothing makes sure of.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "../deadlock/luck.h"

static omp_lock_t first, second;
static int x, y;

int main(void) {
  omp_init_lock(&first);
  omp_init_lock(&second);
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    {
#pragma omp task
      {
        omp_set_lock(&second); // FINDING(lock-order-cycle)
        y++;
        omp_unset_lock(&second);
        luck_happens();
      }
      await_luck(2);
      omp_set_lock(&first); // FINDING(lock-order-cycle)
#pragma omp taskwait
      x++;
      omp_unset_lock(&first);
      luck_happens();
    }
    if (exchange_luck(0) < 3) { // the other member
      omp_set_lock(&second);    // FINDING(lock-order-cycle)
      omp_set_lock(&first);     // FINDING(lock-order-cycle)
      x++, y++;
      omp_unset_lock(&first);
      omp_unset_lock(&second);
      luck_happens();
    }
  }
  omp_destroy_lock(&first);
  omp_destroy_lock(&second);
  printf("x = %d, y = %d\n", x, y);
  return x == 2 && y == 2 ? 0 : 1;
}
