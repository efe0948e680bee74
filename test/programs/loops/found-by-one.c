// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only one thread, and only one iteration, touches the variable: what stands behind && is not read where what stands
// before it is false, also where both are compared with zero, which compilers like to do at once.
// threads: 2 8
// expect: silent
#include <omp.h>
#include <stdio.h>

enum { n = 100 };
static int found, wanted[n];

int main(void) {
  int first = 0;
  for (int i = 0; i < n; i++) wanted[i] = i == 77 ? 0 : 1;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (int i = 0; i < n; i++)
      if (me == 0 && found == 0) found += i;
#pragma omp for
    for (int i = 0; i < n; i++)
      if (wanted[i] == 0 && first == 0) first = i;
  }
  printf("%d %d\n", found, first);
  return 0;
}
