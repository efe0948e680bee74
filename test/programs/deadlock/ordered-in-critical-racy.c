// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ordered region inside a critical construct, and another iteration's critical construct inside its ordered region.
// Bug: the later iteration is in the critical construct and waits for its turn.
// threads: 2
// levels: graph
#include <stdio.h>

static int x, in_region, in_critical;

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

static void in_turn(void) {
#pragma omp ordered
  x++;
}

int main(void) {
#pragma omp parallel for ordered schedule(dynamic, 1)
  for (int i = 0; i < 2; i++) {
    if (i == 0) {
#pragma omp ordered
      {
        raise_flag(&in_region);
        wait_for(&in_critical);
#pragma omp critical // FINDING(dependence-cycle) MAY(lock-order-cycle)
        x++;
      }
    } else {
      wait_for(&in_region);
#pragma omp critical
      {
        raise_flag(&in_critical);
        in_turn();
      }
    }
  }
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
