// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum that tasks of two parents add to, each in its own set of tasks that exclude each other.
// Fixed: the parents are ordered, and wait for their tasks.
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
#pragma omp task depend(mutexinoutset : sum)
      sum += 1;
#pragma omp taskwait
    }
#pragma omp task depend(inout : sum)
    {
#pragma omp task depend(mutexinoutset : sum)
      sum += 2;
#pragma omp taskwait
    }
  }
  printf("sum = %d\n", sum);
  return sum == 3 ? 0 : 1;
}
