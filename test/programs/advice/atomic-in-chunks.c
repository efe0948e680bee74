// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which thread executes which chunk is chance, also where one executes all of them: the atomic operations are needed.
// threads: 2 8
// expect: silent
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>

static int places, count, taken[64];

int main(void) {
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 8; i++) {
    int place;
#pragma omp atomic capture
    place = places++;
    taken[place % 64] = i;
#pragma omp atomic
    count += 1;
  }
  printf("%d %d\n", places, count);
}
