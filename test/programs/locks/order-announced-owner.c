// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A desk with two drawers. A task announces under the desk's lock that it works, and locks its first drawer; another
// task that finds somebody at work goes away. So the two, which take the drawers in opposite orders, never meet.
// expect: silent
// threads: 2 4 8
#include "one-at-a-time.h"
#include <omp.h>
#include <stdio.h>

static omp_lock_t desk, left, right;
static int at_work, done;

static int begin_work(omp_lock_t* first) {
  omp_set_lock(&desk);
  const int may = !at_work;
  if (may) {
    at_work = 1;
    omp_set_lock(first);
  }
  omp_unset_lock(&desk);
  return may;
}

static void work(omp_lock_t* first, omp_lock_t* second) {
  if (!begin_work(first)) return;
  omp_set_lock(second);
#pragma omp atomic
  ++done;
  omp_unset_lock(second);
  omp_set_lock(&desk);
  at_work = 0;
  omp_unset_lock(first);
  omp_unset_lock(&desk);
}

int main(void) {
  omp_init_lock(&desk);
  omp_init_lock(&left);
  omp_init_lock(&right);
#pragma omp parallel
  {
    begin_alone();
    if (omp_get_thread_num() % 2 == 0)
      work(&left, &right);
    else
      work(&right, &left);
    end_alone();
  }
  omp_destroy_lock(&right);
  omp_destroy_lock(&left);
  omp_destroy_lock(&desk);
  printf("%d\n", done > 0);
  return 0;
}
