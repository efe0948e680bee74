// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread reads a number for all.
// Fixed: it is met by all.
// threads: 2 4
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int sum;

int main(void) {
#pragma omp parallel
  {
    int number = 0;
    {
#pragma omp single copyprivate(number)
      number = 7;
    }
#pragma omp atomic
    sum += number;
  }
  printf("%d\n", sum % 7);
  return sum > 7 && sum % 7 == 0 ? 0 : 1;
}
