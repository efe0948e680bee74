// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two chunks of a dynamic loop take two locks in opposite orders.
// Repaired: the locks are the thread's own, of its number, or under a third one; or a barrier is between the two.
// threads: 1 2 8
#include <omp.h>
#include <stdio.h>

enum { most = 64 };
static omp_lock_t of_number[2 * most], a, b, gate;
static int n;

static void both(omp_lock_t* first, omp_lock_t* second) {
  omp_set_lock(first);
  omp_set_lock(second);
#pragma omp atomic
  n++;
  omp_unset_lock(second);
  omp_unset_lock(first);
}

int main(void) {
  for (int i = 0; i < 2 * most; i++) omp_init_lock(&of_number[i]);
  omp_init_lock(&a);
  omp_init_lock(&b);
  omp_init_lock(&gate);
#pragma omp parallel
  {
    omp_lock_t own[2];
    omp_init_lock(&own[0]);
    omp_init_lock(&own[1]);
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 20; i++) both(&own[i % 2], &own[1 - i % 2]);
    int number = omp_get_thread_num() % most;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 20; i++) both(&of_number[2 * number + i % 2], &of_number[2 * number + 1 - i % 2]);
    omp_destroy_lock(&own[0]);
    omp_destroy_lock(&own[1]);
  }
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 20; i++) {
      omp_set_lock(&gate);
      both(i % 2 ? &a : &b, i % 2 ? &b : &a);
      omp_unset_lock(&gate);
    }
#pragma omp single
    both(&a, &b);
#pragma omp single
    both(&b, &a);
  }
  printf("n = %d\n", n);
  for (int i = 0; i < 2 * most; i++) omp_destroy_lock(&of_number[i]);
  omp_destroy_lock(&a);
  omp_destroy_lock(&b);
  omp_destroy_lock(&gate);
  return n == 62 ? 0 : 1;
}
