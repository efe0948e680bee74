// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two regions one after the other work on the same array with different distributions.
// Racy: in the second region the neighbour's element is updated in place while the neighbour reads it.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

enum { most = 256 };
static int a[most];

int main(void) {
#pragma omp parallel
  a[omp_get_thread_num()] = 1;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    int n = omp_get_num_threads();
    a[me] += a[(me + 1) % n]; // RACE(1,1)
  }
  printf("first = %d\n", a[0]);
  return a[0] == 2 ? 0 : 1;
}
