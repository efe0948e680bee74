// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A million independent tasks and one taskwait: what a task costs.
#include "kernel.h"

int main(int argc, char** argv) {
  long tasks = scaled(1000000, argc, argv);
  int* values = malloc((size_t)tasks * sizeof(int));
#pragma omp parallel
#pragma omp single
  {
    for (long t = 0; t < tasks; t++) {
#pragma omp task
      values[t] = (int)(t % 1000);
    }
#pragma omp taskwait
  }
  double sum = 0.0;
  for (long t = 0; t < tasks; t++) sum += values[t];
  free(values);
  return checksum(sum);
}
