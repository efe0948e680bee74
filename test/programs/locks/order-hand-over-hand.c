// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sorted list with a lock in each node, which are taken hand over hand, always forward. Nodes are freed and their
// memory used again.
// expect: silent
// levels: native graph
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  int key;
  struct Node* next;
  omp_lock_t lock;
} Node;

static Node* make(int key, Node* next) {
  Node* n = malloc(sizeof *n);
  n->key = key;
  n->next = next;
  omp_init_lock(&n->lock);
  return n;
}

static void insert(Node* head, int key) {
  omp_set_lock(&head->lock);
  Node* before = head;
  while (before->next) {
    Node* here = before->next;
    omp_set_lock(&here->lock);
    if (here->key >= key) {
      omp_unset_lock(&here->lock);
      break;
    }
    omp_unset_lock(&before->lock);
    before = here;
  }
  if (!before->next || before->next->key != key) before->next = make(key, before->next);
  omp_unset_lock(&before->lock);
}

static void erase(Node* head, int key) {
  omp_set_lock(&head->lock);
  Node* before = head;
  while (before->next) {
    Node* here = before->next;
    omp_set_lock(&here->lock);
    if (here->key == key) {
      before->next = here->next;
      omp_unset_lock(&here->lock);
      omp_destroy_lock(&here->lock);
      free(here);
      break;
    }
    omp_unset_lock(&before->lock);
    before = here;
  }
  omp_unset_lock(&before->lock);
}

int main(void) {
  Node* head = make(-1, NULL);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(i)
      insert(head, i * 7 % 40);
#pragma omp task firstprivate(i)
      erase(head, i * 11 % 40);
    }
  }
  int n = 0;
  while (head) {
    Node* next = head->next;
    omp_destroy_lock(&head->lock);
    free(head);
    head = next;
    n++;
  }
  printf("%d\n", n > 0);
  return 0;
}
