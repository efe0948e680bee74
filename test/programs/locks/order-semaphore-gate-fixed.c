// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks take two locks in opposite orders, one task at a time: a semaphore lets in one.
// expect: silent
// levels: native graph
#include <omp.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t turn;
static omp_lock_t a, b;
static int value;

static void both(omp_lock_t* first, omp_lock_t* second) {
  sem_wait(&turn);
  omp_set_lock(first);
  omp_set_lock(second);
  ++value;
  omp_unset_lock(second);
  omp_unset_lock(first);
  sem_post(&turn);
}

int main(void) {
  sem_init(&turn, 0, 1);
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task
    both(&a, &b);
#pragma omp task
    both(&b, &a);
  }
  omp_destroy_lock(&b);
  omp_destroy_lock(&a);
  sem_destroy(&turn);
  printf("value = %d\n", value);
  return value == 16 ? 0 : 1;
}
