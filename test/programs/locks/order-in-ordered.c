// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opposite orders, but in ordered regions, of which one comes after the other.
// expect: silent
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_lock_t a, b;
static int n;

int main(void) {
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < 8; i++) {
#pragma omp ordered
    {
      omp_lock_t *x = i % 2 ? &a : &b, *y = i % 2 ? &b : &a;
      omp_set_lock(x);
      omp_set_lock(y);
      n++;
      omp_unset_lock(y);
      omp_unset_lock(x);
    }
  }
  omp_destroy_lock(&a);
  omp_destroy_lock(&b);
  printf("%d\n", n);
  return 0;
}
