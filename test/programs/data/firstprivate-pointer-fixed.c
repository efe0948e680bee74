// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks get a buffer and work in it.
// Fixed: firstprivate of the array copies the array.
#include <stdio.h>

int main(void) {
  int buffer[4] = {1, 2, 3, 4};
  int sum[2] = {0, 0};
#pragma omp parallel
#pragma omp single
  {
    for (int t = 0; t < 2; t++) {
#pragma omp task firstprivate(buffer, t)
      for (int i = 0; i < 4; i++) {
        buffer[i] += t;
        sum[t] += buffer[i];
      }
    }
  }
  printf("sums = %d %d\n", sum[0], sum[1]);
  return sum[0] == 10 && sum[1] == 14 ? 0 : 1;
}
