// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target region on the host: its loop notes the last element.
// Fixed: only the last iteration does.
// threads: 2 8
#include <stdio.h>

enum { N = 256 };

int main(void) {
  int a[N], last = 0;
  for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target data map(tofrom : a[0 : N]) map(tofrom : last)
  {
#pragma omp target teams distribute parallel for map(tofrom : last)
    for (int i = 0; i < N; i++) {
      if (i == N - 1) last = i;
      a[i] *= 2;
    }
  }
  printf("%d %d\n", a[3], last);
  return 0;
}
