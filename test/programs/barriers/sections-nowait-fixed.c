// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections produce a value each, all threads use both.
// Fixed: sections ends with a barrier.
#include <omp.h>
#include <stdio.h>

static int x, y, got[256];

// Functions of their own, so that the compiler does not make one store of the two.
__attribute__((noinline)) static void set_x(int value) { x = value; }

__attribute__((noinline)) static void set_y(int value) { y = value + 1; }

int main(void) {
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      set_x(1);
#pragma omp section
      set_y(1);
    }
    got[omp_get_thread_num()] = x + y;
  }
  printf("got = %d\n", got[0]);
  return got[0] == 3 ? 0 : 1;
}
