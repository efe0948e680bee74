// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table in which each entry needs its upper and its left neighbour; rows are dealt to the threads in turn.
// Fixed: sinks for both. (A team of one crashes in LLVM's runtime if gcc compiled the loop.)
// threads: 2 8
#include <stdio.h>

enum { n = 12 };
static int table[n][n];

int main(void) {
  for (int i = 0; i < n; i++) table[i][0] = table[0][i] = 1;
#pragma omp parallel for ordered(2) schedule(static, 1)
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      table[i][j] = (table[i - 1][j] + table[i][j - 1]) % 1000;
#pragma omp ordered depend(source)
    }
  printf("corner = %d\n", table[n - 1][n - 1]);
  return table[n - 1][n - 1] == 432 ? 0 : 1;
}
