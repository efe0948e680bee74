// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add to a sum in a critical construct; their creator waits for them in another one.
// Bug: all of them were there before, which nothing makes sure of.
// threads: 1 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "luck.h"

static int sum;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 1; i <= 4; i++) {
#pragma omp task firstprivate(i)
      {
#pragma omp critical(total) // FINDING(dependence-cycle)
        sum += i;
        luck_happens();
      }
    }
    await_luck(4);
#pragma omp critical(total)
    {
#pragma omp taskwait // FINDING(dependence-cycle)
      sum *= 2;
    }
  }
  printf("sum = %d\n", sum);
  return sum == 20 ? 0 : 1;
}
