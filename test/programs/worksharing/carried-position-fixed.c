// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread writes what it finds into a row, from one chunk to the next, and goes on with the row that belongs to its
// current item when it has filled one.
// Fixed: no other thread gets these items.
// builds: stock
#include <stdio.h>

enum { items = 64, length = 4 };
static int rows[items][length];

int main(void) {
#pragma omp parallel
  {
    int row = -1, position = length;
#pragma omp for schedule(guided, 2) nowait
    for (int i = 0; i < items; i++) {
      if (position == length) {
        row = i;
        position = 0;
      }
      rows[row][position++] = i + 1;
    }
  }
  long sum = 0;
  for (int i = 0; i < items; i++)
    for (int j = 0; j < length; j++) sum += rows[i][j];
  printf("%ld\n", sum);
  return sum == (long)items * (items + 1) / 2 ? 0 : 1;
}
