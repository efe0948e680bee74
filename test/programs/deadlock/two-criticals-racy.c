// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections with a critical construct in another one, one of them by a call.
// Bug: the names nest in opposite orders, and each section is in its outer one before the other goes on.
// threads: 2
// levels: graph
#include <stdio.h>

static int x, y, ready[2];

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

static void add_to_x(void) {
#pragma omp critical(x) // FINDING(dependence-cycle) MAY(lock-order-cycle)
  x++;
}

int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
#pragma omp critical(y)
    {
      y++;
      raise_flag(&ready[0]);
      wait_for(&ready[1]);
      add_to_x();
    }
#pragma omp section
    {
#pragma omp critical(x)
      {
        raise_flag(&ready[1]);
        wait_for(&ready[0]);
#pragma omp critical(y) // FINDING(dependence-cycle) MAY(lock-order-cycle)
        y++;
      }
    }
  }
  printf("x + y = %d\n", x + y);
  return x + y == 3 ? 0 : 1;
}
