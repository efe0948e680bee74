// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads count into an array of bins.
// Racy: the bins are shared.
// threads: 2 8
#include <stdio.h>

enum { n = 1024, bins = 16 };
static unsigned char data[n];

int main(void) {
  int count[bins] = {0};
  for (int i = 0; i < n; i++) data[i] = (unsigned char)(i * 7 % bins);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) count[data[i]]++; // RACE(1,1)
  printf("count[3] = %d\n", count[3]);
  return count[3] == n / bins ? 0 : 1;
}
