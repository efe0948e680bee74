// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cheapest assignment of workers to jobs by branch and bound: a task for each choice in the first rows, the best
// cost so far read atomically, and every visit counted in the critical construct that keeps it.
#include "kernel.h"

enum { jobs = 13, task_rows = 6 };
static int costs[jobs][jobs], least[jobs + 1];
static int best;
static long visits;

static void assign(int row, unsigned taken, int cost) {
#pragma omp critical
  {
    visits++;
    if (row == jobs && cost < best) {
#pragma omp atomic write
      best = cost;
    }
  }
  if (row == jobs) return;
  for (int job = 0; job < jobs; job++) {
    int sum = cost + costs[row][job], bound;
#pragma omp atomic read
    bound = best;
    if ((taken >> job & 1) != 0 || sum + least[row + 1] > bound) continue;
    if (row < task_rows) {
#pragma omp task
      assign(row + 1, taken | 1u << job, sum);
    } else {
      assign(row + 1, taken | 1u << job, sum);
    }
  }
#pragma omp taskwait
}

int main(int argc, char** argv) {
  long rounds = scaled(150, argc, argv);
  long sum = 0;
  unsigned long long state = 1;
  for (long r = 0; r < rounds; r++) {
    for (int i = 0; i < jobs; i++)
      for (int j = 0; j < jobs; j++) costs[i][j] = 10 + (int)(random_bits(&state) >> 40) % 30;
    least[jobs] = 0;
    for (int i = jobs; i-- > 0;) {
      int row = costs[i][0];
      for (int j = 1; j < jobs; j++) row = costs[i][j] < row ? costs[i][j] : row;
      least[i] = least[i + 1] + row;
    }
    best = 1 << 20;
#pragma omp parallel
#pragma omp single
    assign(0, 0, 0);
    sum += best;
  }
  return checksum((double)sum);
}
