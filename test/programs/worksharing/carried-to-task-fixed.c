// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread gives its tasks the element of the first chunk that it got, and they count there.
// Fixed: the element is the thread's own, whatever it executes, and it waits for each task.
// builds: stock
#include <stdio.h>

enum { n = 40 };
static int by_number[n], by_pointer[n];

int main(void) {
#pragma omp parallel
  {
    int own = -1;
    int* place = NULL;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++) {
      if (own < 0) own = i;
#pragma omp task firstprivate(own)
      by_number[own]++;
#pragma omp taskwait
    }
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++) {
      if (place == NULL) place = &by_pointer[i];
#pragma omp taskloop firstprivate(place)
      for (int k = 0; k < 1; k++) ++*place;
    }
  }
  int all = 0;
  for (int i = 0; i < n; i++) all += by_number[i] + by_pointer[i];
  printf("%d\n", all);
  return all == 2 * n ? 0 : 1;
}
