// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks add to a total in any order, but not at the same time; the second one is undeferred.
// Racy: its mutexinoutset item is another one.
#include <stdio.h>

static int total, other;

int main(void) {
  volatile int later = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : total)
    total += 1; // RACE(1)
#pragma omp task depend(mutexinoutset : other) if (later)
    total += 2; // RACE(1)
  }
  printf("%s\n", total > 0 ? "added" : "nothing"); // LLVM's runtime lets both add at once
}
