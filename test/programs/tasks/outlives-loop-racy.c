// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration of a worksharing loop makes a task, which has a copy of the iteration's number and uses a table by
// reference. The function does not wait for its tasks.
// Bug: the table is a local of the function.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int result[12];

__attribute__((noinline)) static void start(int base) {
  int table[4] = {base, base * 2, base * 3, base * 4};
#pragma omp for nowait
  for (int i = 0; i < 12; i++) {
#pragma omp task shared(table) // FINDING(missing-taskwait) MAY(data-race) NAMES(table)
    result[i] = table[i % 4];  // MAY(data-race)
  }
}

int main(void) {
#pragma omp parallel
  {
    start(100);
#pragma omp barrier
  }
  printf("%d\n", result[11]);
}
