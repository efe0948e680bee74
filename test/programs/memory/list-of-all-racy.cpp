// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has a list of nodes that nobody uses, and gives what it does not need to a list of all.
// Racy: nothing keeps two threads from changing that one at once.
// threads: 2 8
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
    given->next = of_all; // RACE(1*)
    of_all = given;       // RACE(1*)
  }
  for (Node* node = of_all; node != nullptr; node = node->next) nodes++;
  std::printf("nodes = %d\n", nodes);
  return 0;
}
