// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks sum the parts of a local array.
// Racy: the taskgroup ends before the last of them is created.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int sums[2];

__attribute__((noinline)) static void sum(int from) {
  int values[8];
  for (int i = 0; i < 8; i++) values[i] = from + i;
#pragma omp taskgroup
  {
#pragma omp task shared(values, sums)
    for (int i = 0; i < 4; i++) sums[0] += values[i];
  }
#pragma omp task shared(values, sums) // FINDING(missing-taskwait) NAMES(values)
  for (int i = 4; i < 8; i++) sums[1] += values[i];
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    sum(1);
#pragma omp taskwait
  }
  printf("%d\n", sums[0]);
  return sums[0] == 10 ? 0 : 1;
}
