// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every thread puts its square into a table under a critical construct, and the first and the last one note who was
// there, one before its turn and the other one after.
// Fixed: the note is atomic.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int visitor, square[256];

__attribute__((noinline)) static void enter(int i) {
#pragma omp critical(table)
  square[i] = i * i;
}

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me == 0) {
#pragma omp atomic write
      visitor = 1;
    }
    enter(me);
    if (me == omp_get_num_threads() - 1) {
#pragma omp atomic write
      visitor = 2;
    }
  }
  int n = omp_get_max_threads();
  printf("last square = %d\n", square[n - 1]);
  return visitor != 0 && square[n - 1] == (n - 1) * (n - 1) ? 0 : 1;
}
