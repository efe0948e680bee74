// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads add in turns, which an atomic variable counts.
// Racy: the turn is handed on without release.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int turn, value;

int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    for (int round = 0; round < 10 && n == 2; round++) {
      int t;
      do {
#pragma omp atomic read acquire
        t = turn;
      } while (t % 2 != me);
      value += me; // RACE(1,1)
#pragma omp atomic update relaxed
      turn++;
    }
  }
  printf("%d\n", value);
  return 0;
}
