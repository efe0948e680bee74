// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop creates a task for each of its iterations.
// Racy: the tasks share the loop variable, which the loop goes on to change. (It is global: GCC gives tasks a copy of a
// local variable that they only read.)
#include <stdio.h>

static int i;

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (i = 0; i < 10; i++) { // RACE(1)
#pragma omp task shared(i)
      {
        int mine = i; // RACE(1)
#pragma omp atomic
        sum += mine;
      }
    }
  }
  printf("sum = %d\n", sum);
  return sum == 45 ? 0 : 1;
}
