// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations of which not each one writes, and that do something in order.
// Fixed: the one is written atomically, the others wait for their neighbours of the row before.
// threads: 4 8
#include <stdio.h>

enum { n = 30 };

int main(void) {
  int last = 0, turns = 0, begun = 0;
  double rows[n][8] = {{0}};
#pragma omp parallel for ordered schedule(dynamic, 1)
  for (int i = 0; i < 10 * n; i++) {
    // The first one waits for another thread, which has the second one.
    if (i == 1) {
#pragma omp atomic write
      begun = 1;
    }
    for (int other = 0; i == 0 && other == 0;) {
#pragma omp atomic read
      other = begun;
    }
    if (i % 3 == 0) {
#pragma omp atomic write
      last = i;
    }
#pragma omp ordered
    turns++;
  }
#pragma omp parallel for ordered(2) schedule(dynamic, 1)
  for (int i = 1; i < n; i++)
    for (int j = 1; j < 8; j++) {
#pragma omp ordered depend(sink : i, j - 1) depend(sink : i - 1, j)
      rows[i][j] = rows[i - 1][j] + 1;
#pragma omp ordered depend(source)
    }
  printf("%d %d %g\n", last >= 0, turns, rows[n - 1][7]);
}
