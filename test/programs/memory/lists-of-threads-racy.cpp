// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has a list of nodes that nobody uses. Tasks take nodes from the list of the thread that they are on.
// Racy: a task puts its node back, and takes it again, while a child of it may still read it.
#include <cstdio>

struct Node {
  Node* next;
  double value[4];
};
static thread_local Node* own;

static Node* take() {
  Node* const node = own;
  if (node == nullptr) return new Node;
  own = node->next;
  return node;
}

static void put_back(Node* node) {
  node->next = own;
  own = node;
}

static double sum_by_child(int i) {
  Node* const node = take();
  for (double& value : node->value) value = i;
  double sum = 0;
#pragma omp task shared(sum) firstprivate(node)
  for (const double value : node->value) sum += value; // RACE(1)
  put_back(node);
  Node* const again = take();
  again->value[0] = 0; // RACE(1)
#pragma omp taskwait
  put_back(again);
  return sum;
}

int main() {
  double total = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++)
#pragma omp task shared(total) firstprivate(i)
  {
    const double sum = sum_by_child(i);
#pragma omp atomic
    total += sum;
  }
  std::printf("total = %g\n", total);
  return 0;
}
