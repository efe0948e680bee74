// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks have copies of pointers to their creator's variables.
// compilers: clang
// builds: driver
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>

static int total;

static void add(const int* values) {
#pragma omp atomic
  total += values[1];
}

/// An array, by a variable that points to it.
static void of_array(void) {
  int values[4] = {0, 1, 2, 3};
  const int* p = values;
#pragma omp task firstprivate(p)
  add(p);
#pragma omp taskwait
}

/// A part of it, by a second pointer; which array it is depends on n.
static void of_part(int n) {
  int few[4] = {1, 2, 3, 4}, more[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int *p = n > 4 ? more : few, *second = p + 1;
#pragma omp task firstprivate(second)
  add(second);
#pragma omp taskwait
}

/// Memory of the stack whose size is known only then; there is none for n = 0.
static void of_any_size(int n) {
  if (n == 0) return;
  int* const values = alloca((size_t)n * sizeof *values);
  for (int i = 0; i < n; i++) values[i] = i;
#pragma omp task firstprivate(values)
  add(values);
#pragma omp taskwait
}

/// Both ways out wait.
static void on_one_way(int n) {
  int values[4] = {0, 1, 2, 3};
  int* p = values;
#pragma omp task firstprivate(p)
  add(p);
  if (n > 9) {
#pragma omp taskwait
    return;
  }
#pragma omp taskwait
}

/// Another block is used, so that nothing of this frame is.
static int* of_heap(int n) {
  int few[4] = {1, 2, 3, 4};
  int* const p = n > 4 ? calloc(4, sizeof *p) : few;
#pragma omp task firstprivate(p)
  add(p);
  return n > 4 ? p : NULL;
}

/// The frame of the caller lives on.
static void of_caller(const int* values) {
  const int* p = values;
#pragma omp task firstprivate(p)
  add(p);
}

/// The task has ended by then, as it has the item.
static void awaited_by_item(void) {
  int values[4] = {0, 1, 2, 3};
  int* p = values;
#pragma omp task firstprivate(p) depend(out : values)
  add(p);
#pragma omp taskwait depend(in : values)
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
    int* const block = of_heap(5);
    const int own[2] = {1, 2};
    of_caller(own);
    awaited_by_item();
#pragma omp taskwait
    free(block);
  }
  printf("%d\n", total);
  return 0;
}
