// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phases with a barrier after each.
// Bug: the number of phases differs between the threads.
// flags: -fno-optimize-sibling-calls
// threads: 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int done[5];

int main(void) {
#pragma omp parallel
  {
    const int mine = omp_get_thread_num() == 1 ? 5 : 3;
    for (int phase = 0; phase < mine; phase++) {
#pragma omp atomic
      done[phase]++;
#pragma omp barrier // FINDING(barrier-mismatch)
    }
  }
  printf("last = %d\n", done[4]);
  return done[4] == 1 ? 0 : 1;
}
