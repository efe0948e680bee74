// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks sum the parts of an array that is aligned to more than the stack is.
// Racy: the function returns without waiting for the second one.
// levels: native graph
#include <stdio.h>

static int sums[2];

__attribute__((noinline)) static void sum(int from, int count) {
  _Alignas(128) int values[32];
  values[31] = count;
  for (int i = 0; i < 8; i++) values[i] = from + i;
#pragma omp task depend(inout : values[0]) shared(values, sums)
  for (int i = 0; i < 4; i++) sums[0] += values[i];
#pragma omp taskwait
#pragma omp task depend(inout : values[4]) shared(values, sums) // FINDING(missing-taskwait) NAMES(values)
  for (int i = 4; i < 8; i++) sums[1] += values[i];
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    sum(1, 8);
#pragma omp taskwait
  }
  printf("%d\n", sums[0]);
  return sums[0] == 10 ? 0 : 1;
}
