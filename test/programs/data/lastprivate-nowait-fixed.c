// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last value of a loop, used by all threads.
// Fixed: the loop's implicit barrier is between.
#include <omp.h>
#include <stdio.h>

enum { n = 100 };
static int a[n], got[256];

int main(void) {
  int last = -1;
#pragma omp parallel
  {
#pragma omp for schedule(static) lastprivate(last)
    for (int i = 0; i < n; i++) {
      last = i + 1;
      a[i] = last;
    }
    got[omp_get_thread_num()] = last;
  }
  printf("last = %d\n", last);
  return last == n && (got[0] == n || got[0] == -1) ? 0 : 1;
}
