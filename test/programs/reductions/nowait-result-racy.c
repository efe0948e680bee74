// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread uses the sum of a reduction with nowait, another time it scales it.
// Racy: others may add theirs later. (Above four threads LLVM's runtime lets the primary thread add all of them.)
// threads: 2 5 8
#include <omp.h>
#include <stdio.h>

enum { n = 64 };

int main(void) {
  int sum = 0, product = 1, used = 0;
#pragma omp parallel shared(sum, product, used)
  {
#pragma omp for reduction(+ : sum) nowait // RACE(1)
    for (int i = 0; i < n; i++) sum += i;
#pragma omp masked
    used = sum; // RACE(1)
#pragma omp barrier
#pragma omp for reduction(* : product) nowait // RACE(2)
    for (int i = 0; i < n; i++) product *= 1 + i % 2;
    if (omp_get_thread_num() == 0) product /= 2; // RACE(2)
  }
  printf("%d %d %d\n", sum, product, used);
}
