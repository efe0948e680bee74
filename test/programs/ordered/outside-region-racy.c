// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations append to a log.
// Racy: behind the ordered region instead of inside.
// threads: 2 8
#include <stdio.h>

enum { n = 64 };
static int length, log_of[n];

int main(void) {
#pragma omp parallel for ordered schedule(static)
  for (int i = 0; i < n; i++) {
#pragma omp ordered
    {
      log_of[i] = i * i;
    }
    length++; // RACE(1,1)
  }
  printf("length = %d\n", length);
  return length == n && log_of[n - 1] == (n - 1) * (n - 1) ? 0 : 1;
}
