// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks add to a total in any order, but not at the same time; the second one is undeferred.
// Fixed: an undeferred task excludes its siblings, too.
#include <stdio.h>

static int total;

int main(void) {
  volatile int later = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : total)
    total += 1;
#pragma omp task depend(mutexinoutset : total) if (later)
    total += 2;
  }
  printf("%s\n", total > 0 ? "added" : "nothing"); // LLVM's runtime lets both add at once
}
