// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nodes of all threads are in one static array; each thread has a list of those that it may use. A task takes a
// node from the list of its thread.
// Repaired: the child puts it back, when it has read it.
#include <stddef.h>
#include <stdio.h>

struct node {
  struct node* next;
  double value[4];
};
static struct node store[1024];
static int taken, tasks;
static struct node* own;
#pragma omp threadprivate(own)

static struct node* take(void) {
  struct node* n = own;
  if (n != NULL) {
    own = n->next;
    return n;
  }
  int i;
#pragma omp atomic capture
  i = taken++;
  return &store[i];
}

static void put_back(struct node* n) {
  n->next = own;
  own = n;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; i++)
#pragma omp task firstprivate(i)
  {
    struct node* n = take();
    for (int k = 0; k < 4; k++) n->value[k] = i;
#pragma omp atomic
    tasks++;
    double sum = 0;
#pragma omp task firstprivate(n) shared(sum)
    {
      for (int k = 0; k < 4; k++) sum += n->value[k];
      put_back(n);
    }
#pragma omp taskwait
    if (sum < 0) puts("negative");
  }
  printf("%d\n", tasks);
}
