// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Producer and consumers wait for each other, each role at a barrier of its own.
// Fixed: there is one barrier.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int data, sum;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      data = 42;
#pragma omp atomic
      sum += 1;
    }
#pragma omp barrier
    if (omp_get_thread_num() != 0) {
#pragma omp atomic
      sum += data;
    }
  }
  printf("%d\n", sum);
  return sum > 42 ? 0 : 1;
}
