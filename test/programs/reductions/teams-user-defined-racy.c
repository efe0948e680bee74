// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The teams of a league add up a struct.
// Bug: not by a reduction but in a critical construct, which excludes the threads of one team only.
// compilers: clang
#include <stdio.h>

struct sum {
  double value;
  int count;
};

int main(void) {
  struct sum sum = {0, 0};
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(1)
#pragma omp critical
  {
    sum.value += 0.5; // RACE(1,1)
    sum.count++;      // RACE(2,2)
  }
  printf("%g %d\n", sum.value, sum.count);
  return 0;
}
