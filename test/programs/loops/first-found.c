// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only one iteration touches the variable: what stands behind && is not read where what stands before it is false.
// threads: 2 8
// expect: silent
#include <stdio.h>

int main(void) {
  int first = -1;
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    if (i == 77 && first < 0) first = i;
  printf("%d\n", first);
  return 0;
}
