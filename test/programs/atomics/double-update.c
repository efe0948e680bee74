// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic updates of a double, which the compilers do with instructions that no instrumentation shows in full.
// Silent: all updates are atomic, the reads come after the region.
// expect: silent
#include <omp.h>
#include <stdio.h>

static double sum, product = 1.0;

int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    sum += 0.5;
#pragma omp atomic
    product *= 2.0;
  }
  printf("sum = %g, product = %g\n", sum, product);
  return sum == 0.5 * omp_get_max_threads() ? 0 : 1;
}
