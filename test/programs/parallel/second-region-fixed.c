// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two regions one after the other work on the same array with different distributions.
// Fixed: the second region writes another array; the first region's end orders its writes before it.
#include <omp.h>
#include <stdio.h>

enum { most = 256 };
static int a[most], b[most];

int main(void) {
#pragma omp parallel
  a[omp_get_thread_num()] = 1;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    int n = omp_get_num_threads();
    b[me] = a[me] + a[(me + 1) % n];
  }
  printf("first = %d\n", b[0]);
  return b[0] == 2 ? 0 : 1;
}
