// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A guided loop fills an array, then every thread looks for its largest element.
// Racy: nowait; whoever filled an element, another thread reads it.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

enum { n = 100 };
static int a[n], largest[256];

int main(void) {
#pragma omp parallel
  {
    int most = 0;
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < n; i++) a[i] = (i * 37) % 101; // RACE(1)
    for (int i = 0; i < n; i++) {
      int value = a[i]; // RACE(1)
      most = value > most ? value : most;
    }
    largest[omp_get_thread_num()] = most;
  }
  printf("largest = %d\n", largest[0]);
  return largest[0] == 100 ? 0 : 1;
}
