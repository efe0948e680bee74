// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opposite orders in phases, which a dependence, a taskwait and a taskgroup keep apart.
// expect: silent
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_lock_t a, b;
static int n, phase;

static void in_order(omp_lock_t* x, omp_lock_t* y) {
  omp_set_lock(x);
  omp_set_lock(y);
  n++;
  omp_unset_lock(y);
  omp_unset_lock(x);
}

int main(void) {
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 4; i++)
#pragma omp task depend(in : phase)
      in_order(&a, &b);
#pragma omp task depend(out : phase)
    phase = 1;
    for (int i = 0; i < 4; i++)
#pragma omp task depend(in : phase)
      in_order(&b, &a);
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task
        in_order(&a, &b);
      }
    }
#pragma omp task
    in_order(&b, &a);
  }
  omp_destroy_lock(&a);
  omp_destroy_lock(&b);
  printf("%d\n", n);
  return 0;
}
