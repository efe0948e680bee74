// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A guided loop fills an array, then every thread looks for its largest element.
// Fixed: the loop ends with its implicit barrier.
#include <omp.h>
#include <stdio.h>

enum { n = 100 };
static int a[n], largest[256];

int main(void) {
#pragma omp parallel
  {
    int most = 0;
#pragma omp for schedule(guided)
    for (int i = 0; i < n; i++) a[i] = (i * 37) % 101;
    for (int i = 0; i < n; i++) {
      int value = a[i];
      most = value > most ? value : most;
    }
    largest[omp_get_thread_num()] = most;
  }
  printf("largest = %d\n", largest[0]);
  return largest[0] == 100 ? 0 : 1;
}
