// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cells of a tree are added up by tasks that depend on the cell above them, which a task of its own depends on.
// Racy: nobody waits for the tasks of the cells below, which are no siblings of those that come after.
// threads: 2 8
// levels: native graph
#include <stdio.h>
#include <stdlib.h>

typedef struct Cell {
  struct Cell* child[2];
  double mass;
} Cell;

static Cell* make(int depth) {
  Cell* c = calloc(1, sizeof *c);
  c->mass = 1;
  if (depth) c->child[0] = make(depth - 1), c->child[1] = make(depth - 1);
  return c;
}

static void sum_up(Cell* c) {
  for (int i = 0; i < 2; i++) {
    Cell* k = c->child[i];
    if (!k) continue;
#pragma omp task firstprivate(c, k) depend(inout : c -> mass) // FINDING(non-sibling-dependence,1)
    {
      sum_up(k);
      c->mass += k->mass; // ALSO(1)
    }
  }
}

int main(void) {
  Cell* root = make(3);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : root->mass)
    sum_up(root);
#pragma omp task depend(inout : root->mass) // FINDING(non-sibling-dependence,1)
    printf("%g\n", root->mass);             // ALSO(1)
  }
  return 0;
}
