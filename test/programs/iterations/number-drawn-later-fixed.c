// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration notes that it was the last one, and then draws a number, by which it finds a place for its result.
// Repaired: they note it atomically. Places are given back and used again.
// threads: 2
// builds: driver
#include <stdio.h>

enum { n = 32 };
static int last, next, given, place[n], free_places[n];

int main(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {
#pragma omp atomic write
    last = i;
    if (i % 2 == 0) continue;
    int mine;
#pragma omp critical
    {
      mine = given > 0 ? free_places[--given] : next++;
    }
    place[mine] += i;
#pragma omp critical
    free_places[given++] = mine;
  }
  int sum = 0;
  for (int i = 0; i < next; i++) sum += place[i];
  printf("%d %d\n", last >= 0, sum);
  return sum == n * n / 4 ? 0 : 1;
}
