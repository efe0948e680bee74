// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first taskwait of each round is not needed: what follows it uses nothing that the tasks write. The second one
// is.
// threads: 2 8
// builds: driver
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>

enum { rounds = 4, size = 64 };
static int left[size], right[size], sums[rounds];

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < rounds; round++) {
#pragma omp task firstprivate(round)
    for (int i = 0; i < size; i++) left[i] = i + round;
#pragma omp taskwait // FINDING(not-needed)
#pragma omp task firstprivate(round)
    for (int i = 0; i < size; i++) right[i] = i - round;
#pragma omp taskwait
    for (int i = 0; i < size; i++) sums[round] += left[i] * right[i];
  }
  int all = 0;
  for (int round = 0; round < rounds; round++) all += sums[round];
  printf("%d\n", all);
}
