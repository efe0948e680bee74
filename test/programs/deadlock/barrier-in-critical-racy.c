// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier by a call inside a critical construct.
// Bug: the first thread in it waits for the others, and they wait to enter it.
// threads: 2
// levels: native graph
#include <stdio.h>

static int x;

static void next_phase(void) {
#pragma omp barrier // FINDING(dependence-cycle)
}

int main(void) {
#pragma omp parallel
  {
#pragma omp critical // FINDING(dependence-cycle)
    {
      x++;
      next_phase();
    }
  }
  printf("%s\n", x > 1 ? "all" : "one");
  return x > 1 ? 0 : 1;
}
