// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram by a league whose number of teams is the implementation's choice.
// Racy: a critical construct excludes the threads of one team only (OpenMP 5.1, 2.19.1).
#include <stdio.h>

enum { n = 64, classes = 4 };
static int value[n], histogram[classes];

int main(void) {
  for (int i = 0; i < n; i++) value[i] = i * 7;
#pragma omp teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    histogram[value[i] % classes]++; // RACE(1,1)
  }
  printf("classes of %d\n", n / classes);
  return histogram[0] == n / classes ? 0 : 1;
}
