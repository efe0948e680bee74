// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections with a critical construct in another one, one of them by a call.
// Fixed: the same order in both.
// threads: 2
// levels: native graph
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
#pragma omp critical(x)
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
      add_to_x();
    }
#pragma omp section
    {
      wait_for(&ready[0]);
#pragma omp critical(y)
      {
        raise_flag(&ready[1]);
#pragma omp critical(x)
        x++;
      }
    }
  }
  printf("x + y = %d\n", x + y);
  return x + y == 3 ? 0 : 1;
}
