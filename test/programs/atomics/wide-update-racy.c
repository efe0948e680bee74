// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates that no single instruction does: floating-point numbers, a product. gcc makes a loop around a
// compare-exchange of them, which its instrumentation leaves out.
// Racy: somebody reads without a barrier, or without an atomic construct.
// builds: driver
// threads: 2 4
#include <stdio.h>

enum { n = 100 };

int main(void) {
  double sum = 0, total = 0, seen = 0;
  float scale = 1;
  long product = 1, found = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) nowait // RACE(1)
    for (int i = 0; i < n; i++) sum += 0.5;
#pragma omp single
    seen += sum; // RACE(1)
  }
#pragma omp parallel
  {
#pragma omp atomic
    total += 1.5; // RACE(2)
#pragma omp atomic
    scale *= 0.5F; // RACE(3)
#pragma omp atomic
    product *= 3; // RACE(4)
#pragma omp single
    {
      seen += total;    // RACE(2)
      seen += scale;    // RACE(3)
      found += product; // RACE(4)
    }
  }
  printf("%g %ld\n", seen, found);
}
