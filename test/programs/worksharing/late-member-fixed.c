// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of numbers on the heap is smoothed in a dynamic loop, to which a thread comes when the other one has done all
// of it.
// Fixed: the sums are written to another list.
// threads: 2
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { n = 64 };

int main(void) {
  int *number = malloc((n + 1) * sizeof *number), *smooth = malloc(n * sizeof *smooth);
  for (int i = 0; i <= n; i++) number[i] = i;
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    usleep(50000);
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < n; i++) smooth[i] = (number[i] + number[i + 1]) / 2;
  }
  printf("%d\n", smooth[0]);
  free(number);
  free(smooth);
  return 0;
}
