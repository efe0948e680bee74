// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions start tasks that use their variables. The compiler puts the functions into their caller, whose frame goes
// on. All wait for the tasks first, in one way or another.
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

static void start_in_turn(int seed) {
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

static void wait_for_all(void) {
#pragma omp taskwait
}

static void start_and_leave_it_to_another(int seed) {
  int value = seed;
#pragma omp task shared(value)
  add(value);
  wait_for_all();
}

static void start_and_sum(int seed) {
  int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < 4; i++)
#pragma omp task in_reduction(+ : sum)
    sum += seed;
  add(sum);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    start(1);
    start_some(2, 1);
    start_in_turn(4);
    start_at_once(5, 0);
    start_and_leave_it_to_another(6);
    start_and_sum(7);
  }
  printf("total = %d\n", total);
  return total == 1 + 2 + 4 + 5 + 6 + 28 ? 0 : 1;
}
