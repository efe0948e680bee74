// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions start tasks that use their variables. The compiler puts the functions into their caller, whose frame goes
// on, and one variable belongs to a block. All wait for the tasks first, in one way or another: also by the task's own
// word. compilers: clang builds: driver
#include <stdio.h>

static int total;

static void add(int value) {
#pragma omp atomic
  total += value;
}

static void start(int seed) {
  int values[64];
  values[0] = seed;
#pragma omp task shared(values)
  add(values[0]);
#pragma omp taskwait
}

static void start_some(int seed, int early) {
  int value = seed;
#pragma omp taskgroup
  {
#pragma omp task shared(value)
    add(value);
  }
  if (early) return;
  add(value);
}

static void start_with_dependence(int seed) {
  int value = seed;
#pragma omp task shared(value) depend(out : value)
  add(value++);
#pragma omp taskwait depend(in : value)
}

static void start_at_once(int seed, int deferred) {
  int value = seed;
#pragma omp task shared(value) if (deferred)
  add(value);
}

static void start_and_hear(int seed) {
  int value = seed, done = 0;
#pragma omp task shared(value, done)
  {
    add(value);
#pragma omp atomic write release
    done = 1;
  }
  int heard = 0;
  while (!heard) {
#pragma omp taskyield
#pragma omp atomic read acquire
    heard = done;
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    start(1);
    start_some(2, 1);
    {
      int inside[64];
      inside[0] = 3;
#pragma omp task shared(inside)
      add(inside[0]);
#pragma omp taskwait
    }
    start_with_dependence(4);
    start_at_once(5, 0);
    for (int i = 0; i < 20; i++) start_and_hear(6);
  }
  printf("total = %d\n", total);
  return 0;
}
