// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The height of a tree by regions in regions, most of which have one thread; the tasks of each add to it.
// Fixed: a node forgets the heights of the nodes below when its own is there.
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
  height[node] = height[2 * node] + 1;
#pragma omp taskwait
  height[2 * node] = 0;
}

int main(void) {
  climb(1);
  printf("height %d\n", height[1]);
  return height[1] == depth ? 0 : 1;
}
