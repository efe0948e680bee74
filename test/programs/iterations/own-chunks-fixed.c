// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads keep in variables of their own, from one chunk of a dynamic loop, or one single construct, to the next, what
// they executed before. Fixed: by that each has a place of its own, which no other thread's first iteration is.
// compilers: clang
// builds: stock
#include <stdio.h>

enum { n = 64 };
static int number[n], pointed_to[n], least[n], counted[n], rows[n][4], grid[n], of_singles[n];

static void by_number(void) {
#pragma omp parallel
  {
    int mine = -1;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) {
      if (mine < 0) mine = i;
      number[mine]++;
    }
  }
}

static void by_pointer(void) {
#pragma omp parallel
  {
    int* mine = NULL;
#pragma omp for schedule(guided)
    for (int i = 0; i < n; i++) {
      if (mine == NULL) mine = &pointed_to[i];
      *mine += 1;
    }
  }
}

static void by_least(void) {
#pragma omp parallel
  {
    int low = n;
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < n; i++) {
      if (i < low) low = i;
      least[low] = i;
    }
  }
}

static void by_count(void) {
#pragma omp parallel
  {
    int count = 0, first = -1;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) {
      if (count++ == 0) first = i;
      counted[first] = count;
    }
  }
}

static void by_row(void) {
#pragma omp parallel
  {
    int used = 0, row = -1;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++) {
      if (row < 0) row = i;
      rows[row][used++ % 4] = i;
    }
  }
}

static void by_cell(void) {
#pragma omp parallel
  {
    int* cell = NULL;
#pragma omp for schedule(dynamic) collapse(2)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        if (cell == NULL) cell = grid + i * 8 + j;
        *cell = i;
      }
  }
}

static void by_single(void) {
#pragma omp parallel
  {
    int mine = -1;
    for (int step = 0; step < n; step++) {
#pragma omp single nowait
      {
        if (mine < 0) mine = step;
        of_singles[mine]++;
      }
    }
  }
}

int main(void) {
  by_number();
  by_pointer();
  by_least();
  by_count();
  by_row();
  by_cell();
  by_single();
  int sum = 0;
  for (int i = 0; i < n; i++) sum += number[i] + pointed_to[i];
  printf("counted %d\n", sum);
  return sum == 2 * n ? 0 : 1;
}
