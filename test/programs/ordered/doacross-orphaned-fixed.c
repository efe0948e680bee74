// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A doacross loop in a function that is called outside of every region, in a team of one, and in the team: each
// iteration waits for the one before it.
#include <stdio.h>

enum { n = 100 };
static int a[n];

static void steps(int first) {
  a[0] = first;
#pragma omp for ordered(1) schedule(dynamic)
  for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
  }
}

static void wide_steps(void) {
#pragma omp for ordered(2)
  for (unsigned long i = 1; i < 10; i++)
    for (unsigned long j = 1; j < 10; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      a[10 * i + j] = a[10 * i + j - 10] + a[10 * i + j - 1];
#pragma omp ordered depend(source)
    }
}

int main(void) {
  steps(1);
  wide_steps();
#pragma omp parallel num_threads(1)
  {
    steps(2);
    wide_steps();
  }
#pragma omp parallel
  {
#pragma omp single
    a[0] = 0;
    wide_steps();
  }
  printf("%d\n", a[n - 1] != 0);
  return 0;
}
