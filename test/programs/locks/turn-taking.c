// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads change one buffer in turns. Whose turn it is stands under a lock; the buffer is used without it.
// The value read under the lock tells that the other one has finished: an order, not an accident.
// expect: silent
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int turn, buffer;

__attribute__((noinline)) static void wait_for_turn(int me) {
  int mine = 0;
  while (!mine) {
    omp_set_lock(&lock);
    mine = turn == me;
    omp_unset_lock(&lock);
  }
}

__attribute__((noinline)) static void pass_on(int to) {
  omp_set_lock(&lock);
  turn = to;
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me < 2)
      for (int i = 0; i < 20; i++) {
        wait_for_turn(me);
        buffer = 2 * buffer % 1000 + me;
        pass_on(1 - me);
      }
  }
  omp_destroy_lock(&lock);
  printf("buffer = %d\n", buffer);
  return 0;
}
