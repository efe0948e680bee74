// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration of a loop makes a task, which has a copy of the iteration's number; the tables are there as long as
// the tasks are. (clang notes the address of a loop's variable beside the copy.)
// Fixed: the function waits for the tasks that use its local; the other loops' tasks need none of theirs.
// levels: native graph
#include <stdio.h>

static double result[12];
static int rows[3][4], small[20];
static const double table[4] = {3, 6, 9, 12};

__attribute__((noinline)) static void start(double base) {
  double local[4] = {base, base * 2, base * 3, base * 4};
#pragma omp for nowait
  for (int i = 0; i < 12; i++) {
#pragma omp task shared(local)
    result[i] = local[i % 4];
  }
#pragma omp taskwait
}

__attribute__((noinline)) static void start_more(void) {
#pragma omp for nowait
  for (short i = 0; i < 12; i++) {
#pragma omp task
    result[i] += table[i % 4];
  }
}

__attribute__((noinline)) static void start_small(int* to, unsigned char number) {
#pragma omp for nowait collapse(2)
  for (unsigned char i = 0; i < number; i++)
    for (short j = 0; j < 4; j++) {
#pragma omp task
      to[i * 4 + j] = i;
    }
}

__attribute__((noinline)) static void start_all(void) {
#pragma omp taskloop nogroup grainsize(1) collapse(2)
  for (int i = 0; i < 3; i++)
    for (long j = 0; j < 4; j++) {
#pragma omp task
      rows[i][j] = i;
    }
}

int main(void) {
#pragma omp parallel
  start(3);
#pragma omp parallel
  {
    start_more();
    start_small(small, 5);
#pragma omp single
    start_all();
  }
#pragma omp parallel for
  for (int i = 0; i < 12; i++) {
#pragma omp task
    result[i] += rows[i % 3][i % 4];
  }
  printf("%g %g\n", result[0], result[11]);
  return result[0] == 6 && result[11] == 26 ? 0 : 1;
}
