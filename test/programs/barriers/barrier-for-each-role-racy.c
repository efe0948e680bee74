// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Producer and consumers wait for each other, each role at a barrier of its own.
// Bug: all threads of a team must meet the same barrier.
// compilers: clang
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
#pragma omp barrier // FINDING(barrier-mismatch)
#pragma omp atomic
      sum += 1;
    } else {
#pragma omp barrier // FINDING(barrier-mismatch)
#pragma omp atomic
      sum += data;
    }
  }
  printf("%d\n", sum);
  return sum > 42 ? 0 : 1;
}
