// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration notes that it was the last one, and then draws a number, by which it finds a place for its result.
// Racy: two iterations note at the same moment, also where one thread executes both: it did so before it had a number.
// threads: 2
// builds: driver
#include <stdio.h>

enum { n = 32 };
static int last, next, place[n];

int main(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    last = i; // RACE(1,1)
    int mine;
#pragma omp critical
    mine = next++;
    place[mine] = i;
  }
  printf("%d %d\n", last >= 0, next);
  return next == n ? 0 : 1;
}
