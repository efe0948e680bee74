// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add to the reductions of two scope constructs, one after the other.
// Racy: those of the second add to a shared variable beside it, too.
// compilers: gcc
#include <omp.h>
#include <stdio.h>

int main(void) {
  int sum = 0, product = 1, last = 0, threads = 0;
#pragma omp parallel shared(last, threads)
  {
    if (omp_get_thread_num() == 0) threads = omp_get_num_threads();
#pragma omp scope reduction(task, + : sum)
    for (int i = 1; i <= 4; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
      sum += i;
    }
#pragma omp scope reduction(task, * : product) reduction(task, + : sum)
    for (int i = 1; i <= 2; i++) {
#pragma omp task in_reduction(* : product) in_reduction(+ : sum) firstprivate(i) shared(last)
      {
        product *= i;
        sum += i;
        last = i; // RACE(1,1)
      }
    }
  }
  printf("sum = %d, product = %d\n", sum / threads, product);
  return sum == 13 * threads && product == 1 << threads ? 0 : 1;
}
