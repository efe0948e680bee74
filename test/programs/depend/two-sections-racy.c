// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections create a task each, and the tasks name one variable.
// Racy: where two threads execute the sections, the tasks have two parents, and dependences order siblings only.
// threads: 1 2 8
// compilers: clang
// builds: driver
#include <stdio.h>

static int x;

__attribute__((noinline)) static void write_it(void) {
#pragma omp task depend(out : x) // FINDING(non-sibling-dependence)
  {
#pragma omp atomic write
    x = 42;
  }
}

__attribute__((noinline)) static void read_it(int* to) {
#pragma omp task depend(in : x) firstprivate(to) // FINDING(non-sibling-dependence)
  {
#pragma omp atomic read
    *to = x;
  }
}

int main(void) {
  int got = 0;
#pragma omp parallel sections
  {
#pragma omp section
    write_it();
#pragma omp section
    read_it(&got);
  }
  printf("got = %d\n", got);
  return got == 42 || got == 0 ? 0 : 1;
}
