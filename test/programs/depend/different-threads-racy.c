// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads of a team create a task each, with dependences.
// Racy: their tasks are children of different implicit tasks, so the dependences do not order them.
// threads: 2
// levels: native graph
// (GCC's debug information puts the creation of a task on the line before it.)
#include <omp.h>
#include <stdio.h>

static int x, got, created;

__attribute__((noinline)) static void create_first(void) { // FINDING(non-sibling-dependence,1)
#pragma omp task depend(inout : x)                         // FINDING(non-sibling-dependence,1)
  x += 1;                                                  // RACE(1)
#pragma omp atomic
  created += 1;
}

__attribute__((noinline)) static void create_second(void) {
#pragma omp atomic
  created += 1;                    // FINDING(non-sibling-dependence,2)
#pragma omp task depend(inout : x) // FINDING(non-sibling-dependence,2)
  x *= 3;                          // RACE(1)
}

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      create_first();
    } else {
      create_second();
    }
  }
  got = x;
  printf("got = %d\n", got);
  return got == 3 ? 0 : 1;
}
