// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two recurrences over one array, forward with an unsigned variable, then backward. The first iterations of both name a
// sink before the loop, which the compiler may count as a very large number: OpenMP waits for none.
// Racy: the second one waits for the iteration before the one whose value it uses.
// threads: 2 8
// compilers: clang
#include <stdio.h>

enum { n = 24 };
static long a[n + 2];

int main(void) {
  a[0] = a[n + 1] = 1;
#pragma omp parallel
  {
#pragma omp for ordered(1) schedule(static, 1)
    for (unsigned i = 1; i <= n; i++) {
#pragma omp ordered depend(sink : i - 1)
      a[i] = a[i - 1] + i;
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = n; i > 0; i -= 2) {
#pragma omp ordered depend(sink : i + 4)
      a[i] += i + 2 > n ? 0 : a[i + 2]; // RACE(1,1)
#pragma omp ordered depend(source)
    }
  }
  printf("%ld\n", a[2]);
  return 0;
}
