// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has a list of nodes that nobody uses, and gives what it does not need to a list of all.
// Repaired: one thread at a time changes that one.
#include <cstdio>

struct Node {
  Node* next;
  int value;
};
static thread_local Node* own;
static Node* of_all;

int main() {
  int nodes = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 10; i++) own = new Node{own, i};
    Node* const given = own;
    own = given->next;
#pragma omp critical
    {
      given->next = of_all;
      of_all = given;
    }
  }
  for (Node* node = of_all; node != nullptr; node = node->next) nodes++;
  std::printf("nodes = %d\n", nodes);
  return 0;
}
