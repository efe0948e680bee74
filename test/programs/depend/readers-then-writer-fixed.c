// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One writer, many readers, another writer.
// Fixed: inout waits for all readers.
#include <stdio.h>

int main(void) {
  int x = 0, r[4] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
    for (int k = 0; k < 4; k++) {
#pragma omp task depend(in : x) firstprivate(k)
      r[k] = x;
    }
#pragma omp task depend(inout : x)
    x = 2;
  }
  printf("x = %d, readers saw %d %d %d %d\n", x, r[0], r[1], r[2], r[3]);
  return x == 2 && r[0] == 1 && r[3] == 1 ? 0 : 1;
}
