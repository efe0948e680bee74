// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a random tree that is very unbalanced: each node hashes its way to the number of its children; a task for each
// child, serial in the smallest subtrees. Each task adds to the counters of its thread.
#include "kernel.h"

#include <omp.h>

enum { root_children = 100000, max_threads = 256, task_depth = 40, children = 4 };
static const double child_probability = 0.2485;

static struct {
  long nodes, leaves, deepest;
  char padding[64 - 3 * sizeof(long)];
} counters[max_threads];

static void visit(unsigned long long node, int depth) {
  unsigned long long hash = 0;
  for (int round = 0; round < 16; round++) hash ^= random_bits(&node);
  int count = (double)(hash >> 11) * 0x1p-53 < child_probability ? children : 0;
  int me = omp_get_thread_num();
  counters[me].nodes++;
  counters[me].leaves += count == 0;
  if (depth > counters[me].deepest) counters[me].deepest = depth;
  for (int c = 0; c < count; c++) {
    unsigned long long child = hash * 31 + (unsigned)c;
    if (depth % 3 == 0 && depth < task_depth) {
#pragma omp task
      visit(child, depth + 1);
    } else {
      visit(child, depth + 1);
    }
  }
}

int main(int argc, char** argv) {
  long roots = scaled(root_children, argc, argv);
#pragma omp parallel num_threads(omp_get_max_threads() < max_threads ? omp_get_max_threads() : max_threads)
#pragma omp single
  for (long r = 0; r < roots; r++) {
#pragma omp task
    visit((unsigned long long)r, 1);
  }
  long nodes = 0, leaves = 0, deepest = 0;
  for (int t = 0; t < max_threads; t++) {
    nodes += counters[t].nodes;
    leaves += counters[t].leaves;
    if (counters[t].deepest > deepest) deepest = counters[t].deepest;
  }
  return checksum((double)nodes + (double)leaves + (double)deepest);
}
