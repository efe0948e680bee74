// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks have copies of pointers to their creator's variables.
// Racy: the functions return while the tasks may run.
// compilers: clang
// builds: driver
#include <alloca.h>
#include <stdio.h>

static int total;

static void add(const int* values) {
#pragma omp atomic
  total += values[1];
}

/// An array, by a variable that points to it.
static void of_array(void) {
  int values[4] = {0, 1, 2, 3};
  const int* p = values;
#pragma omp task firstprivate(p) // FINDING(missing-taskwait)
  add(p);
}

/// A part of it, by a second pointer; which array it is depends on n.
static void of_part(int n) {
  int few[4] = {1, 2, 3, 4}, more[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int *p = n > 4 ? more : few, *second = p + 1;
#pragma omp task firstprivate(second) // FINDING(missing-taskwait)
  add(second);
}

/// Memory of the stack whose size is known only then; there is none for n = 0.
static void of_any_size(int n) {
  if (n == 0) return;
  int* const values = alloca((size_t)n * sizeof *values);
  for (int i = 0; i < n; i++) values[i] = i;
#pragma omp task firstprivate(values) // FINDING(missing-taskwait)
  add(values);
}

/// On one way out nothing waits.
static void on_one_way(int n) {
  int values[4] = {0, 1, 2, 3};
  int* p = values;
#pragma omp task firstprivate(p) // FINDING(missing-taskwait)
  add(p);
  if (n > 4) return;
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    of_array();
#pragma omp taskwait
    of_part(5);
#pragma omp taskwait
    of_any_size(0);
    of_any_size(6);
#pragma omp taskwait
    on_one_way(6);
#pragma omp taskwait
  }
  printf("%d\n", total);
  return 0;
}
