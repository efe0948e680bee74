// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host uses an element that it has asked back from the device.
// Racy: with nowait the copy is made by a task, and nothing waits for it.
// flags: -fopenmp-targets=x86_64-pc-linux-gnu -Wl,-rpath,/usr/lib/llvm-19/lib
// needs: /usr/lib/llvm-19/bin/clang-linker-wrapper
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 1000 };
static int a[n];

int main(void) {
  for (int i = 0; i < n; i++) a[i] = i;
  int seen;
#pragma omp target data map(to : a)
  {
#pragma omp target
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp target update from(a) nowait // RACE(1)
    seen = a[7];                         // RACE(1) MAY(mapping-bug)
#pragma omp taskwait
  }
  printf("%d\n", seen);
  return seen == 8 ? 0 : 1;
}
