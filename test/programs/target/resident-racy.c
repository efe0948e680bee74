// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array stays on the device; two target tasks, one for each half, add to their halves and one element more.
// Racy: nothing orders the two, and both update the middle.
// flags: -fopenmp-targets=x86_64-pc-linux-gnu -Wl,-rpath,/usr/lib/llvm-19/lib
// needs: /usr/lib/llvm-19/bin/clang-linker-wrapper
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 1000 };
static int a[n];

int main(void) {
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(tofrom : a)
  {
#pragma omp target nowait
    for (int i = 0; i <= n / 2; i++) a[i] += 1; // RACE(1)
#pragma omp target nowait
    for (int i = n / 2; i < n; i++) a[i] += 2; // RACE(1)
#pragma omp taskwait
  }
  printf("a[%d] = %d\n", n / 2, a[n / 2]);
  return a[n / 2] == n / 2 + 3 ? 0 : 1;
}
