// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread sets a simple lock that it holds already; another thread unsets the lock after a while, so that this
// test ends.
// Racy: a simple lock may not be set by its owner.
// threads: 2 8
// levels: native graph
// flags: -fno-optimize-sibling-calls
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static omp_lock_t lock;
static int value;

__attribute__((unused)) static void wait_a_little(void) { usleep(100 * 1000); }

__attribute__((noinline)) static int twice(void) {
  omp_set_lock(&lock);
  omp_set_lock(&lock); // FINDING(lock-misuse)
  ++value;
  omp_unset_lock(&lock);
  return 0;
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      twice();
    } else {
      wait_a_little();
      omp_unset_lock(&lock); // FINDING(lock-misuse)
    }
  }
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
