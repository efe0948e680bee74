// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two locks protect two parts of a table.
// Fixed: the one that was set is unset.
// threads: 1 2 8
// levels: native graph
// environment: KMP_LOCK_KIND=tas
// flags: -fno-optimize-sibling-calls
#include <omp.h>
#include <stdio.h>

static omp_lock_t first, second;
static int value;

int main(void) {
  omp_init_lock(&first);
  omp_init_lock(&second);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      omp_set_lock(&first);
      ++value;
      omp_unset_lock(&first);
    }
#pragma omp taskwait
  }
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
