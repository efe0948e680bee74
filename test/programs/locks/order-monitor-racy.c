// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nestable lock is a monitor that is entered again from inside, with a lock in between: that waits for nobody.
// Racy: another thread enters it for the first time with that lock set.
// threads: 2 4 8
// levels: native graph
#include "one-at-a-time.h"
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t monitor;
static omp_lock_t file;
static int lines;

static void print_line(void) {
  omp_set_nest_lock(&monitor); // FINDING(lock-order-cycle)
  lines++;
  omp_unset_nest_lock(&monitor);
}

static void write_all(int n) {
  omp_set_nest_lock(&monitor);
  omp_set_lock(&file); // FINDING(lock-order-cycle)
  for (int i = 0; i < n; i++) print_line();
  omp_unset_lock(&file);
  omp_unset_nest_lock(&monitor);
}

static void write_one(void) {
  omp_set_lock(&file);
  print_line();
  omp_unset_lock(&file);
}

int main(void) {
  omp_init_nest_lock(&monitor);
  omp_init_lock(&file);
#pragma omp parallel
  {
    begin_alone();
    if (omp_get_thread_num() == 0)
      write_all(3);
    else
      write_one();
    end_alone();
  }
  omp_destroy_nest_lock(&monitor);
  omp_destroy_lock(&file);
  printf("%d\n", lines > 0);
  return 0;
}
