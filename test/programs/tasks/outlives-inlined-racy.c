// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions start tasks that use their variables. The compiler puts the functions into their caller, whose frame goes
// on. Racy: nobody waits for the tasks before the functions return.
// threads: 1 2
// compilers: clang
// flags: -O2
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

static void start_in_turn(int seed) {
  int value;
#pragma omp task shared(value) depend(out : value) // MAY(missing-taskwait)
  value = seed;
#pragma omp task shared(value) depend(in : value) // FINDING(missing-taskwait)
  add(value);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    start(1);
#pragma omp taskwait // the variables of what follows may be where those were
    start_some(2, 1);
#pragma omp taskwait
    start_in_turn(3);
#pragma omp taskwait
  }
  printf("%d\n", total > 0);
  return 0;
}
