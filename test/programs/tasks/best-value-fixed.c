// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of a search update the best value that was found, and end where they cannot reach it.
// Fixed: they read and update it in critical constructs of one name.
#include <stdio.h>

static int best;

static int search(int depth, int value) {
  int best_now;
#pragma omp critical(best_update)
  best_now = best;
  if (value + 4 * depth < best_now) return 0;
  if (depth == 0) {
#pragma omp critical(best_update)
    if (value > best) best = value;
    return 1;
  }
  int left = 0, right = 0;
#pragma omp task shared(left)
  left = search(depth - 1, value + depth % 3);
#pragma omp task shared(right)
  right = search(depth - 1, value + depth % 2);
#pragma omp taskwait
  return left + right;
}

int main(void) {
  int leaves = 0;
#pragma omp parallel
#pragma omp single
  leaves = search(6, 0);
  printf("%d\n", leaves > 0 ? best : -1);
  return 0;
}
