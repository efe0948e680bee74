// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task runs backwards through an array to its first element but one, while another one sets the elements before.
// Nobody else touches the first element.
#include <stdio.h>

enum { n = 100 };
static int a[n];

static void count_down(int last) {
  for (int i = n - 1; i >= last; i--) a[i] = i;
}

int main(void) {
  int last = 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task firstprivate(last)
    count_down(last);
#pragma omp task
    a[0] = 7;
  }
  printf("last = %d\n", a[n - 1]);
  return a[n - 1] == n - 1 ? 0 : 1;
}
