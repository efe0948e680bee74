// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over a binary tree, a task for each child.
// Fixed: it waits for its two tasks.
#include <stdio.h>

struct node {
  struct node *left, *right;
  int value, sum;
};

static int sum_of(const struct node* n) { return n ? n->sum : 0; }

static void compute_sum(struct node* n) {
  if (!n) return;
#pragma omp task firstprivate(n)
  compute_sum(n->left);
#pragma omp task firstprivate(n)
  compute_sum(n->right);
#pragma omp taskwait
  int children = sum_of(n->left) + sum_of(n->right);
  n->sum = n->value + children;
}

int main(void) {
  enum { nodes = 31 };
  static struct node tree[nodes];
  for (int i = 0; i < nodes; i++) {
    tree[i].value = i;
    tree[i].left = 2 * i + 1 < nodes ? &tree[2 * i + 1] : NULL;
    tree[i].right = 2 * i + 2 < nodes ? &tree[2 * i + 2] : NULL;
  }
#pragma omp parallel
#pragma omp single
  compute_sum(&tree[0]);
  printf("sum = %d\n", tree[0].sum);
  return tree[0].sum == nodes * (nodes - 1) / 2 ? 0 : 1;
}
