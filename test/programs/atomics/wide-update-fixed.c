// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates that no single instruction does: floating-point numbers, a product. gcc makes a loop around a
// compare-exchange of them, which its instrumentation leaves out.
// Fixed: a barrier stands before they are read, or they are read atomically.
#include <stdio.h>

enum { n = 100 };

int main(void) {
  double sum = 0, total = 0, seen = 0;
  float scale = 1;
  long product = 1, found = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += 0.5;
#pragma omp single
    seen += sum;
  }
#pragma omp parallel
  {
    double part;
#pragma omp atomic
    total += 1.5;
#pragma omp atomic
    scale *= 0.5F;
#pragma omp atomic
    product *= 3;
#pragma omp single nowait
    {
#pragma omp atomic read
      part = total;
      seen += part;
    }
#pragma omp barrier
#pragma omp single
    {
      seen += scale;
      found += product;
    }
  }
  printf("%d %d\n", seen > 0, found > 0);
}
