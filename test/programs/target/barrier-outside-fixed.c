// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers outside of every parallel region: the team is the initial thread alone, and each of them waits for the
// target tasks that it has created. Fixed: the results are read after the barrier.
// compilers: clang
#include <stdio.h>

static int explicit_one, of_single;

int main(void) {
  int sum = 0;
#pragma omp target map(tofrom : explicit_one) nowait
  explicit_one = 1;
#pragma omp barrier
  sum += explicit_one;
#pragma omp target map(tofrom : of_single) nowait
  of_single = 2;
#pragma omp single
  sum += 4;
  sum += of_single;
  printf("sum = %d\n", sum);
  return sum == 7 ? 0 : 1;
}
