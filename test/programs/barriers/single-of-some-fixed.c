// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single construct that all threads come to.
// Fixed.
// threads: 2 4
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
  {
    const int even = omp_get_thread_num() % 2 == 0;
    {
#pragma omp single
      x++;
    }
    if (even) {
#pragma omp atomic
      x++;
    }
  }
  printf("x = %d\n", x > 1);
  return x > 1 ? 0 : 1;
}
