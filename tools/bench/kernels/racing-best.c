// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subset sums by branch and bound: a task for each choice in the first rows, and a best value that all compare with and
// some write, without a word to the others. The result is right: who reads an old value only looks at more.
#include "kernel.h"

enum { items = 22, task_rows = 9 };
static long sizes[items], rest[items + 1];
static long best, room;

static long best_so_far(void) {
  long found;
#ifdef REPAIRED
#pragma omp atomic read
#endif
  found = best;
  return found;
}

static void improve(long sum) {
#ifdef REPAIRED
#pragma omp critical
#endif
  if (sum > best_so_far()) {
#ifdef REPAIRED
#pragma omp atomic write
#endif
    best = sum;
  }
}

static void choose(int row, long sum) {
  if (sum > best_so_far()) improve(sum);
  if (row == items || sum + rest[row] <= best_so_far()) return;
  for (int taken = 1; taken >= 0; taken--) {
    const long more = taken ? sizes[row] : 0;
    if (sum + more > room) continue;
    if (row < task_rows) {
#pragma omp task
      choose(row + 1, sum + more);
    } else {
      choose(row + 1, sum + more);
    }
  }
  if (row < task_rows) {
#pragma omp taskwait
  }
}

int main(int argc, char** argv) {
  long rounds = scaled(300, argc, argv);
  double sum = 0;
  unsigned long long state = 1;
  for (long r = 0; r < rounds; r++) {
    long all = 0;
    for (int i = 0; i < items; i++) all += sizes[i] = 2000 + 2 * (long)((random_bits(&state) >> 40) % 4000);
    rest[items] = 0;
    for (int i = items; i-- > 0;) rest[i] = rest[i + 1] + sizes[i];
    room = all / 2 / 2 * 2 + 1; // odd, so that no subset fills it and the search goes on
    best = 0;
#pragma omp parallel
#pragma omp single
    choose(0, 0);
    sum += (double)best;
  }
  return checksum(sum);
}
