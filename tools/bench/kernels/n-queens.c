// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the ways to place queens: a task for each way to place the first few of them, each with its own copy of the
// board.
#include "kernel.h"

#include <string.h>

enum { n = 12, task_rows = 4 };
typedef struct {
  signed char column[n];
} board;

static int is_safe(const board* b, int row, int column) {
  for (int r = 0; r < row; r++) {
    int c = b->column[r];
    if (c == column || c - column == row - r || column - c == row - r) return 0;
  }
  return 1;
}

static long count(board* b, int row) {
  if (row == n) return 1;
  long sum = 0;
  for (int c = 0; c < n; c++)
    if (is_safe(b, row, c)) {
      b->column[row] = (signed char)c;
      sum += count(b, row + 1);
    }
  return sum;
}

static long count_by_tasks(const board* b, int row) {
  long results[n];
  memset(results, 0, sizeof results);
  for (int c = 0; c < n; c++) {
    if (!is_safe(b, row, c)) continue;
    board next = *b;
    next.column[row] = (signed char)c;
#pragma omp task firstprivate(next) shared(results)
    results[c] = row + 1 < task_rows ? count_by_tasks(&next, row + 1) : count(&next, row + 1);
  }
#pragma omp taskwait
  long sum = 0;
  for (int c = 0; c < n; c++) sum += results[c];
  return sum;
}

int main(int argc, char** argv) {
  long rounds = scaled(20, argc, argv), sum = 0;
#pragma omp parallel
#pragma omp single
  for (long r = 0; r < rounds; r++) {
    board empty;
    memset(&empty, 0, sizeof empty);
    sum += count_by_tasks(&empty, 0);
  }
  return checksum((double)sum);
}
