// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pool of cells: a thread draws the number of a free one in a critical construct, uses the cell, and gives it back.
// expect: silent
// threads: 2 8
#include <omp.h>
#include <stdio.h>

enum { cells = 16 };
static int free_cells[cells], count, cell[cells], used[256];

static int draw(void) {
  int number;
#pragma omp critical(pool)
  number = free_cells[--count];
  return number;
}

static void give_back(int number) {
#pragma omp critical(pool)
  free_cells[count++] = number;
}

int main(void) {
  for (count = 0; count < cells; count++) free_cells[count] = count;
#pragma omp parallel
  {
    for (int i = 0; i < 20; i++) {
      int mine = draw();
      cell[mine] = i;
      used[omp_get_thread_num()] += cell[mine] == i;
      give_back(mine);
    }
  }
  int sum = 0;
  for (int i = 0; i < omp_get_max_threads(); i++) sum += used[i];
  printf("used %d times\n", sum);
  return sum == 20 * omp_get_max_threads() ? 0 : 1;
}
