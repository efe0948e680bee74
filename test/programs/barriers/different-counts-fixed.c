// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phases with a barrier after each.
// Fixed: threads without work in a phase come to its barrier all the same.
// threads: 2 4
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int done[5];

int main(void) {
#pragma omp parallel
  {
    const int mine = omp_get_thread_num() == 1 ? 5 : 3;
    for (int phase = 0; phase < 5; phase++) {
      if (phase < mine)
#pragma omp atomic
        done[phase]++;
#pragma omp barrier
    }
  }
  printf("last = %d\n", done[4]);
  return done[4] == 1 ? 0 : 1;
}
