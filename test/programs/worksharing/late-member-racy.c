// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of numbers on the heap is smoothed in a dynamic loop, to which a thread comes when the other one has done all
// of it.
// Racy: a chunk reads the number that the next chunk changes.
// threads: 2
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { n = 64 };

int main(void) {
  int* number = malloc((n + 1) * sizeof *number);
  for (int i = 0; i <= n; i++) number[i] = i;
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    usleep(50000);
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < n; i++) number[i] = (number[i] + number[i + 1]) / 2; // RACE(1,1)
  }
  printf("%d\n", number[0]);
  free(number);
  return 0;
}
