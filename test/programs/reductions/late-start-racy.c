// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of a reduction begins with what the first thread gives it.
// Racy: nothing keeps another thread from adding to it before that. (Above four threads LLVM's runtime lets the first
// thread add up all copies, which is its choice.)
// threads: 2 5 8
#include <omp.h>
#include <stdio.h>

int main(void) {
  int sum = 1;
#pragma omp parallel shared(sum)
  {
    if (omp_get_thread_num() == 0) sum = 10; // RACE(1)
#pragma omp for reduction(+ : sum)           // RACE(1)
    for (int i = 0; i < 100; i++) sum += 1;
  }
  printf("at least: %d\n", sum >= 10);
  return sum >= 10 ? 0 : 1;
}
