// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread uses the sum of a reduction with nowait, another time it scales it.
// Silent: after a barrier. What is done before it has nothing to do with the sum.
// expect: silent
// threads: 1 2 5 8
#include <omp.h>
#include <stdio.h>

enum { n = 64 };

int main(void) {
  int sum = 0, product = 1, used = 0, before = 1;
#pragma omp parallel shared(sum, product, used, before)
  {
#pragma omp for reduction(+ : sum) nowait
    for (int i = 0; i < n; i++) sum += i;
#pragma omp masked
    before++;
#pragma omp barrier
#pragma omp masked
    used = sum + before;
#pragma omp for reduction(* : product) nowait
    for (int i = 0; i < n; i++) product *= 1 + i % 2;
#pragma omp masked
    before++;
#pragma omp barrier
    if (omp_get_thread_num() == 0) product /= 2;
  }
  printf("%d %d %d\n", sum, product, used);
  return used == n / 2 * (n - 1) + 2 ? 0 : 1;
}
