// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member waits for the flag of another one, which sleeps; the lock is handed on after that.
// threads: 2
// levels: native graph
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static int x, flag;

static void raise_flag(int* flag) {
#pragma omp atomic write seq_cst
  *flag = 1;
}
static void wait_for(int* flag) {
  for (int seen = 0; !seen;) {
#pragma omp atomic read seq_cst
    seen = *flag;
  }
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      wait_for(&flag);
      x++;
      omp_unset_lock(&lock);
    } else {
      usleep(1600000);
      raise_flag(&flag);
      omp_set_lock(&lock);
      x++;
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
