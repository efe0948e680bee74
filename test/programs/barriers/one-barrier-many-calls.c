// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs in functions that each role calls from places of its own: inlined, or left by a jump.
// It is one construct each, whatever the compiler makes of it.
// expect: silent
// flags: -O2
// threads: 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int data[8], sum;

static inline __attribute__((always_inline)) void arrive(int by) {
#pragma omp atomic
  sum += by;
#pragma omp barrier
}
static __attribute__((noinline)) void arrive_by_a_jump(int by) {
#pragma omp atomic
  sum += by;
#pragma omp barrier
}
static inline __attribute__((always_inline)) void share(int by) {
#pragma omp for nowait
  for (int i = 0; i < 8; i++) data[i] += by;
#pragma omp single
#pragma omp atomic
  sum += 100;
}

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      arrive(1);
#pragma omp atomic
      sum += 0;
      arrive_by_a_jump(10);
#pragma omp atomic
      sum += 0;
      share(1);
    } else {
      arrive(0);
      arrive_by_a_jump(0);
      share(2);
    }
  }
  printf("%d\n", sum);
  return sum == 111 ? 0 : 1;
}
