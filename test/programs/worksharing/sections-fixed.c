// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections that run at the same time: each waits until the other has begun.
// Fixed: each has its own variable.
// threads: 2 8
#include <stdio.h>

static int arrived, x, y;

static void meet(void) {
  int now = 0;
#pragma omp atomic
  arrived++;
  while (now < 2) {
#pragma omp atomic read
    now = arrived;
  }
}

// Functions of their own, so that the compiler does not load x and y ahead of the sections.
__attribute__((noinline)) static void first_part(void) {
  meet();
  x += 1;
}

__attribute__((noinline)) static void second_part(void) {
  meet();
  y += 2;
}

int main(void) {
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      first_part();
#pragma omp section
      second_part();
    }
  }
  printf("sum = %d\n", x + y);
  return x + y == 3 ? 0 : 1;
}
