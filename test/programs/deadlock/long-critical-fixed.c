// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks wait for long while another one is in a critical construct: they wait, but in no circle.
// threads: 8
// levels: native graph
#include <stdio.h>
#include <unistd.h>

static int n;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 4; i++) {
#pragma omp task
    {
#pragma omp critical
      {
        usleep(700000);
        n++;
      }
    }
  }
  printf("%d\n", n);
  return 0;
}
