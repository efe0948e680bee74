// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread 0 takes a lock before a barrier and lets go of it when its data is ready: whoever has the lock after the
// barrier comes later. Nothing is read or written in the others' sections.
// expect: silent
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static omp_lock_t gate;
static int data, seen[256];

int main(void) {
  omp_init_lock(&gate);
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me == 0) omp_set_lock(&gate);
#pragma omp barrier
    if (me == 0) {
      data = 42;
      omp_unset_lock(&gate);
    } else {
      omp_set_lock(&gate);
      omp_unset_lock(&gate);
      seen[me] = data;
    }
  }
  omp_destroy_lock(&gate);
  printf("seen = %d\n", seen[1]);
  return seen[1] == 42 ? 0 : 1;
}
