// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes an array of 4 GB once: `large_array STEP` every STEP-th of its integers.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const long n = 1L << 30, step = argc > 1 ? atol(argv[1]) : 1;
  int* array = malloc((size_t)n * sizeof(int));
  if (!array) return 3;
#pragma omp parallel for num_threads(2)
  for (long i = 0; i < n; i += step) array[i] = 1;
  long sum = 0;
  for (long i = 0; i < n; i += 64 * step) sum += array[i];
  free(array);
  puts(sum == (n / step + 63) / 64 ? "ok" : "wrong");
  return 0;
}
