// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of the multiples of seven, gathered by tasks that take part in a reduction; each list has a block that grows.
// Fixed: the list is reduced.
#include <stdio.h>
#include <stdlib.h>

struct list {
  int *items, size, room;
};

static void append(struct list* to, int item) {
  if (to->size == to->room) {
    to->room = 2 * to->room + 2;
    to->items = realloc(to->items, sizeof *to->items * (size_t)to->room);
  }
  to->items[to->size++] = item;
}

static void append_all(struct list* to, struct list* from) {
  for (int i = 0; i < from->size; i++) append(to, from->items[i]);
  free(from->items);
  from->items = NULL;
}

static void begin(struct list* it) {
  it->items = malloc(sizeof *it->items);
  it->size = 0;
  it->room = 1;
}
#pragma omp declare reduction(append : struct list : append_all(&omp_out, &omp_in)) initializer(begin(&omp_priv))

enum { n = 200 };

int main(void) {
  struct list found;
  begin(&found);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(append : found)
  for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(append : found)
    if (i % 7 == 0) append(&found, i);
  }
  int sum = 0;
  for (int i = 0; i < found.size; i++) sum += found.items[i];
  printf("%d numbers, sum %d\n", found.size, sum);
  free(found.items);
  return found.size == 29 && sum == 2842 ? 0 : 1;
}
