// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks name two mutexinoutset items in opposite orders: the runtime takes them without a deadlock.
// expect: silent
// levels: native graph
#include <stdio.h>

static int a, b;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++) {
#pragma omp task depend(mutexinoutset : a, b)
    {
      a++;
      b++;
    }
#pragma omp task depend(mutexinoutset : b, a)
    {
      b++;
      a++;
    }
  }
  printf("%d %d\n", a, b);
  return 0;
}
