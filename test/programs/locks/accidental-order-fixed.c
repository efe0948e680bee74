// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread 0 prepares and then takes the lock, thread 1 takes the lock and then prepares; each section is about data of
// its own.
// Fixed: both prepare while they hold the lock.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int prepared, slot[2];

__attribute__((noinline)) static void section(int i) {
  omp_set_lock(&lock);
  slot[i] = i + 1;
  prepared = i + 1;
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0)
      section(0);
    else if (omp_get_thread_num() == 1)
      section(1);
  }
  omp_destroy_lock(&lock);
  printf("slots = %d\n", slot[0] + slot[1]);
  return prepared != 0 && slot[0] + slot[1] == 3 ? 0 : 1;
}
