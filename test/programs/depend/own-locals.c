// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every task orders its own children by a local variable. The variables of tasks that one thread runs one after the
// other have the same address, and are different variables all the same.
// expect: silent
// levels: native graph
#include <stdio.h>

static int results[16];

__attribute__((noinline)) static void pipeline(int i) {
  int stage = i;
#pragma omp task depend(out : stage) shared(stage)
  stage = stage + 1;
#pragma omp task depend(inout : stage) shared(stage)
  stage = stage * 2;
#pragma omp taskwait
  results[i] = stage;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 16; i++) {
#pragma omp task firstprivate(i)
    pipeline(i);
  }
  printf("%d %d\n", results[0], results[15]);
  return results[0] == 2 && results[15] == 32 ? 0 : 1;
}
