// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tasks use nothing of what their depend clauses name, but the clauses order what they do to a list: they are
// needed.
// threads: 2 8
// expect: silent
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node* next;
  int value;
};
static struct node* list;
static int token;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task depend(inout : token)
    {
      struct node* made = malloc(sizeof *made);
      made->next = list;
      made->value = i;
      list = made;
    }
  }
  int sum = 0;
  for (struct node *here = list, *next; here; here = next) {
    next = here->next;
    sum = 2 * sum + here->value;
    free(here);
  }
  printf("%d\n", sum);
}
