// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread sums up what it finds, from one chunk to the next, and writes a row for each item.
// Racy: the row is that of the item modulo four.
// threads: 2 8
#include <stdio.h>

enum { items = 64, length = 4, kept = 4 };
static int rows[kept][length];

int main(void) {
  long total = 0;
#pragma omp parallel reduction(+ : total)
  {
    long sum = 0;
#pragma omp for schedule(guided, 2) nowait
    for (int i = 0; i < items; i++) {
      for (int j = 0; j < length; j++) rows[i % kept][j] = i + j; // RACE(1,1)
      sum += i;
    }
    total += sum;
  }
  printf("%ld, the last row begins with %d\n", total, rows[kept - 1][0]);
  return total == items * (items - 1) / 2 ? 0 : 1;
}
