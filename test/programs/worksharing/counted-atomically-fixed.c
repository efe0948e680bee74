// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread counts by an atomic update before a dynamic loop.
// Fixed: what the update captures is the thread's own place in an array.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

enum { n = 32 };

int main(void) {
  int last[64] = {0}, counter = 0, most[64] = {0}, places = 0;
  unsigned bits = 0;
#pragma omp parallel
  {
    int mine;
#pragma omp atomic capture
    mine = counter++;
#pragma omp atomic
    bits |= 4;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) last[mine % 64] = i;
  }
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    int place;
#pragma omp atomic capture
    place = places++;
    most[place % 64] = i;
#pragma omp atomic
    counter += 1;
  }
  printf("counter = %d, bits = %u, last = %d, most = %d\n", counter > n, bits, last[0] >= 0, most[0] >= 0);
  return 0;
}
