// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread reads a number for all.
// Bug: the construct that gives it to all is not met by the last thread.
// flags: -fno-optimize-sibling-calls
// threads: 2 8
// levels: graph
#include <omp.h>
#include <stdio.h>

static int sum;

int main(void) {
#pragma omp parallel
  {
    int number = 0;
    if (omp_get_thread_num() + 1 != omp_get_num_threads()) {
#pragma omp single copyprivate(number) // FINDING(barrier-mismatch,1)
      number = 7;                      // FINDING(barrier-mismatch,1)
    }
#pragma omp atomic
    sum += number;
  }
  printf("%d\n", sum % 7);
  return sum > 7 && sum % 7 == 0 ? 0 : 1;
}
