// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions start tasks that use their variables. The compiler puts the functions into their caller, whose frame goes
// on, and one variable belongs to a block. Racy: nobody waits for the tasks before the variables are gone. threads: 1
// compilers: clang
// builds: driver
#include <stdio.h>

static int total;

static void add(int value) {
#pragma omp atomic
  total += value;
}

static void start(int seed) {
  int values[64];
  values[0] = seed;
#pragma omp task shared(values) // FINDING(missing-taskwait)
  add(values[0]);
}

static void start_some(int seed, int early) {
  int value = seed;
#pragma omp task shared(value) // FINDING(missing-taskwait)
  add(value);
  if (early) return;
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    start(1);
#pragma omp taskwait // the variables of what follows may be where those were
    start_some(2, 1);
#pragma omp taskwait
    {
      int inside[64];
      inside[0] = 3;
#pragma omp task shared(inside) // FINDING(missing-taskwait)
      add(inside[0]);
    }
#pragma omp taskwait
  }
  printf("total = %d\n", total);
  return 0;
}
