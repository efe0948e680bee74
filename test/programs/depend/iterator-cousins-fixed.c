// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task collects what the children of another one produce, by an iterator over their results.
// Fixed: that one is its predecessor and waits for its children.
// levels: native graph
#include <stdio.h>

enum { n = 3 };
static int part[n];

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(iterator(i = 0 : n), out : part[i])
    {
      for (int i = 0; i < n; i++) {
#pragma omp task depend(out : part[i])
        part[i] = i + 1;
      }
#pragma omp taskwait
    }
#pragma omp task depend(iterator(i = 0 : n), in : part[i]) shared(sum)
    for (int i = 0; i < n; i++) sum += part[i];
  }
  printf("sum = %d\n", sum);
  return sum == 6 ? 0 : 1;
}
