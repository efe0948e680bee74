// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function hands a variable of its own to a task, by reference.
// Racy: it returns without waiting; the variable is gone when the task may use it.
// (gcc's tasks do not tell a reference from a copied pointer.)
// compilers: clang
// levels: native graph
#include <stdio.h>

static int got;

__attribute__((noinline)) static void start(int value) {
  int local = value;
#pragma omp task shared(local, got) // FINDING(missing-taskwait) NAMES(local)
  got = local;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    start(1);
#pragma omp taskwait
  }
  printf("got = %s\n", got == 1 ? "1" : "something else");
  return 0;
}
