// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A producer lets a consumer go on, one task each, ordered by a dependence.
// Fixed: the dependence is enough.
// threads: 1 2 8
// levels: native graph
// flags: -fno-optimize-sibling-calls
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int value;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : value)
    {
      value = 1;
    }
#pragma omp task depend(in : value)
    {
      printf("consumer\n");
    }
#pragma omp taskwait
  }
  omp_destroy_lock(&lock);
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
