// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host uses an element that it has asked back from the device; and the device one that the host has sent.
// Racy: with nowait the copy is made by a task, and nothing waits for it.
// flags: -fopenmp-targets=x86_64-pc-linux-gnu -Wl,-rpath,/usr/lib/llvm-19/lib
// needs: /usr/lib/llvm-19/bin/clang-linker-wrapper
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 1000 };
static int a[n], b[n];

int main(void) {
  for (int i = 0; i < n; i++) a[i] = i;
  int seen, first;
#pragma omp target data map(to : a)
  {
#pragma omp target
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp target update from(a) nowait // RACE(1)
    seen = a[7];                         // RACE(1) MAY(mapping-bug)
#pragma omp taskwait
  }
#pragma omp target data map(to : b)
  {
#pragma omp target update to(b) nowait // RACE(2)
#pragma omp target map(from : first)
    first = b[0]; // RACE(2)
#pragma omp taskwait
  }
  printf("%d %d\n", seen, first);
  return seen == 8 ? 0 : 1;
}
