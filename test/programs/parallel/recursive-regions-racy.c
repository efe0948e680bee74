// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The height of a tree by regions in regions, most of which have one thread; the tasks of each add to it.
// Racy: a node forgets the height of a node below without waiting for its own.
#include <stdio.h>

enum { depth = 6, nodes = 1 << depth };
static int height[2 * nodes];

static void climb(int node) {
  if (node >= nodes) return;
#pragma omp parallel sections num_threads(2)
  {
    climb(2 * node);
#pragma omp section
    climb(2 * node + 1);
  }
#pragma omp task
  height[node] = height[2 * node] + 1; // RACE(1)
  height[2 * node] = 0;                // RACE(1)
#pragma omp taskwait
}

int main(void) {
  climb(1);
  printf("%d\n", height[1] >= 0);
  return height[1] >= 0 ? 0 : 1;
}
