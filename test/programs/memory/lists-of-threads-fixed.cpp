// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has a list of nodes that nobody uses; what is too much for it goes to a list of all. Tasks take nodes
// from the list of the thread that they are on, and their children put them back, on whatever thread those are.
// Repaired: who gives a node to a child does not put it back itself.
#include <atomic>
#include <cstdio>

struct Node {
  Node* next;
  double value[4];
};
static thread_local Node* own;
static thread_local int in_own;
static Node* of_all;
static std::atomic<Node*> returned;

static Node* take() {
  if (own == nullptr) {
#pragma omp critical(of_all)
    if (of_all != nullptr) {
      own = of_all;
      of_all = nullptr;
    }
  }
  if (own == nullptr) own = returned.exchange(nullptr, std::memory_order_acquire);
  Node* const node = own;
  if (node == nullptr) return new Node;
  own = node->next;
  return node;
}

static void put_back(Node* node, int kind) {
  if (in_own++ % 3 != 2) {
    node->next = own;
    own = node;
  } else if (kind == 0) {
    node->next = returned.load(std::memory_order_relaxed);
    while (!returned.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
    }
  } else {
#pragma omp critical(of_all)
    {
      node->next = of_all;
      of_all = node;
    }
  }
}

static double sum_by_child(int i) {
  Node* const node = take();
  for (double& value : node->value) value = i;
  double sum = 0;
#pragma omp task shared(sum) firstprivate(node)
  {
    for (const double value : node->value) sum += value;
    put_back(node, i % 2);
  }
#pragma omp taskwait
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
  return total == 4 * 99 * 50 ? 0 : 1;
}
