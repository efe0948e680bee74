// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum that tasks of two parents add to, each in its own set of tasks that exclude each other.
// Bug: tasks of different parents do not exclude each other.
// compilers: clang
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int sum;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : sum)
    {
#pragma omp task depend(mutexinoutset : sum) // FINDING(non-sibling-dependence,1)
      sum += 1;                              // RACE(1)
#pragma omp taskwait
    }
#pragma omp task
    {
#pragma omp task depend(mutexinoutset : sum) // FINDING(non-sibling-dependence,2)
      sum += 2;                              // RACE(1)
#pragma omp taskwait
    }
  }
  printf("sum = %d\n", sum);
  return sum == 3 ? 0 : 1;
}
