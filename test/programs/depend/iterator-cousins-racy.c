// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task collects what the children of another one produce, by an iterator over their results.
// Racy: it is not their sibling.
// levels: native graph
#include <stdio.h>

enum { n = 3 };
static int part[n];

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      for (int i = 0; i < n; i++) {
#pragma omp task depend(out : part[i]) // FINDING(non-sibling-dependence,1)
        part[i] = i + 1;               // RACE(1)
      }
    }
#pragma omp task depend(iterator(i = 0 : n), in : part[i]) shared(sum) // FINDING(non-sibling-dependence,2)
    for (int i = 0; i < n; i++) sum += part[i];                        // RACE(1)
  }
  printf("sum = %d\n", sum);
  return sum == 6 ? 0 : 1;
}
