// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has an element of its own, on which the critical construct is not needed. The other one is.
// threads: 2 8
// builds: driver
// environment: FLETCHER_OPTIONS=advise=1
#include <omp.h>
#include <stdio.h>

enum { most = 64, size = 100 };
static long parts[most][8];
static long all;

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num() % most;
    for (int i = 0; i < size; i++) {
#pragma omp critical(part) // FINDING(not-needed)
      parts[me][0] += i;
    }
#pragma omp critical(all)
    all += parts[me][0];
  }
  printf("%d\n", all > 0);
}
