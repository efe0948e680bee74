// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread sets a simple lock that it holds already; another thread unsets the lock after a while, so that this
// test ends.
// Fixed: omp_test_lock does not wait.
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
  if (omp_test_lock(&lock)) return 2;
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
    }
  }
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
