// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counting semaphore: a number under a lock. Whoever finds it positive takes one off and uses what was made ready
// before; often without ever having waited.
// expect: silent
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int available, goods[300], next_good;

__attribute__((noinline)) static void post(void) {
  omp_set_lock(&lock);
  available++;
  omp_unset_lock(&lock);
}

__attribute__((noinline)) static int try_to_take(void) {
  int got = -1;
  omp_set_lock(&lock);
  if (available > 0) {
    available--;
    got = next_good++;
  }
  omp_unset_lock(&lock);
  return got;
}

int main(void) {
  int sum = 0;
  omp_init_lock(&lock);
#pragma omp parallel reduction(+ : sum)
  {
    int n = omp_get_num_threads() - 1;
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < 10 * n; i++) {
        goods[i] = i;
        post();
      }
    } else {
      for (int taken = 0; taken < 10;) {
        int i = try_to_take();
        if (i < 0) continue;
        sum += goods[i];
        goods[i] = 0;
        taken++;
      }
    }
  }
  omp_destroy_lock(&lock);
  printf("sum = %d\n", sum);
  return 0;
}
