// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop adds to elements that a table names.
// Racy: two iterations in the first eighth of the loop name the same element; one thread executes both.
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 160 };
static int table[n], sums[n];

int main(void) {
  for (int i = 0; i < n; i++) table[i] = i == 11 ? 3 : i;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    sums[table[i]] += i; // RACE(1,1)
  }
  printf("%d\n", sums[3]);
  return sums[3] == 14 ? 0 : 1;
}
