// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data of a thread's own, addressed by its number: the tasks of a thread share it, in turn. Nothing may be found.
#include <omp.h>
#include <stdio.h>

static long scratch[64][8];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 200; i++)
#pragma omp task
    scratch[omp_get_thread_num()][0] += i;
  long total = 0;
  for (int i = 0; i < 64; i++) total += scratch[i][0];
  puts(total == 199 * 100 ? "ok" : "wrong");
  return 0;
}
