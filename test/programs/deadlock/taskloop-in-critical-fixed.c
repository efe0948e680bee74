// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop adds up numbers in a critical construct.
// Fixed: whoever creates it is in another one.
// levels: native graph
#include <stdio.h>

static int sum, n;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp critical(count)
    {
#pragma omp taskloop grainsize(1)
      for (int i = 0; i < 8; i++) {
#pragma omp critical(total)
        sum += i;
      }
      n++;
    }
  }
  printf("%d\n", sum);
  return 0;
}
