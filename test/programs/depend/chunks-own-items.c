// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of the chunks of a dynamic loop name memory of the thread that created them: a variable of its own, a block of
// its own, an element by its number. Whoever names the same memory has the same parent.
// expect: silent
// threads: 1 2 8
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 64, chunks = 40 };
static int of_thread[most];

int main(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int own = 0;
    int* block = calloc(1, sizeof *block);
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < chunks; i++) {
#pragma omp task depend(inout : own) shared(own)
      own++;
    }
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < chunks; i++) {
#pragma omp task depend(inout : block[0])
      block[0]++;
    }
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < chunks; i++) {
      int* slot = &of_thread[omp_get_thread_num() % most];
#pragma omp task depend(inout : slot[0])
      slot[0]++;
    }
#pragma omp taskwait
    sum += own + block[0];
    free(block);
  }
  for (int i = 0; i < most; i++) sum += of_thread[i];
  printf("sum = %d\n", sum);
  return sum == 3 * chunks ? 0 : 1;
}
