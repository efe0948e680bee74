// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads take two locks; each has one of them before the other thread goes on.
// Bug: they take them in opposite orders, and each waits for the other's.
// threads: 2
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x, ready[2];
static omp_lock_t lock[2];

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
  omp_init_lock(&lock[0]);
  omp_init_lock(&lock[1]);
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    const int first = me;
    omp_set_lock(&lock[first]);
    raise_flag(&ready[me]);
    wait_for(&ready[1 - me]);
    omp_set_lock(&lock[1 - first]); // FINDING(dependence-cycle) MAY(lock-order-cycle)
    x++;
    omp_unset_lock(&lock[1 - first]);
    omp_unset_lock(&lock[first]);
  }
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
