// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dynamic loop does a part of each iteration in order.
// Racy: it counts iterations outside of that part.
// threads: 2 8
#include <stdio.h>

enum { n = 200 };
static int a[n], b[n], order[n], made;

int main(void) {
#pragma omp parallel for schedule(dynamic) ordered
  for (int i = 1; i < n; i++) {
    b[i] = 2 * i;
#pragma omp ordered
    {
      a[i] = a[i - 1] + 1;
    }
    order[made++] = i; // RACE(1*)
  }
  printf("made = %d\n", made);
  return made == n - 1 && a[n - 1] == n - 1 && b[n - 1] == 2 * n - 2 ? 0 : 1;
}
