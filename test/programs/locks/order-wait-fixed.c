// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task takes the first lock after a taskwait; its child took the second one. Another member takes the second, then
// the first.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_lock_t first, second;
static int x, y;

int main(void) {
  omp_init_lock(&first);
  omp_init_lock(&second);
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    {
#pragma omp task
      {
        omp_set_lock(&second);
        y++;
        omp_unset_lock(&second);
      }
#pragma omp taskwait
      omp_set_lock(&first);
      x++;
      omp_unset_lock(&first);
    }
    omp_set_lock(&second);
    omp_set_lock(&first);
    x++, y++;
    omp_unset_lock(&first);
    omp_unset_lock(&second);
  }
  omp_destroy_lock(&first);
  omp_destroy_lock(&second);
  printf("x = %d, y = %d\n", x, y);
  return x == 3 && y == 3 ? 0 : 1;
}
