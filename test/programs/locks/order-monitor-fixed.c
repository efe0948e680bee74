// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nestable lock is a monitor that is entered again from inside, with a lock in between: that waits for nobody.
// Fixed: nobody enters it for the first time with that lock set.
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t monitor;
static omp_lock_t file;
static int lines;

static void print_line(void) {
  omp_set_nest_lock(&monitor);
  lines++;
  omp_unset_nest_lock(&monitor);
}

static void write_all(int n) {
  omp_set_nest_lock(&monitor);
  omp_set_lock(&file);
  for (int i = 0; i < n; i++) print_line();
  omp_unset_lock(&file);
  omp_unset_nest_lock(&monitor);
}

int main(void) {
  omp_init_nest_lock(&monitor);
  omp_init_lock(&file);
#pragma omp parallel
  {
    write_all(3);
    print_line();
  }
  omp_destroy_nest_lock(&monitor);
  omp_destroy_lock(&file);
  printf("%d\n", lines > 0);
  return 0;
}
