// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thousand regions, each nested two deep, that write and read each other's results. Then eight threads that begin and
// end inner regions all the time: the runtime gives what one has ended to another at once.
#include <omp.h>
#include <stdio.h>

static int cell[2][2];

int main(void) {
  omp_set_max_active_levels(2);
  long sum = 0;
  for (int r = 0; r < 1000; r++) {
#pragma omp parallel num_threads(2)
    {
      int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
      cell[outer][omp_get_thread_num()] += r;
      cell[outer][0] += cell[outer][1];
    }
    sum += cell[0][0] + cell[1][0];
    for (int i = 0; i < 4; i++) cell[i / 2][i % 2] = 0;
  }
#pragma omp parallel num_threads(8) reduction(+ : sum)
  for (int r = 0; r < 300; r++) {
    int parts[2] = {r, -r};
#pragma omp parallel num_threads(2)
    parts[omp_get_thread_num()] += 1;
    sum += parts[0] + parts[1];
  }
  puts(sum == 2 * 999L * 1000L + 8 * 300 * 2 ? "ok" : "wrong");
  return 0;
}
