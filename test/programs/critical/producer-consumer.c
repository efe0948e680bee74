// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue whose ends are moved in a critical construct; the items are filled and emptied outside of it.
// expect: silent
// threads: 2 8
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Item {
  int value;
  struct Item* next;
} Item;

static Item *head, *tail;
static int consumed;

static void push(Item* item) {
#pragma omp critical(queue)
  {
    if (tail != NULL)
      tail->next = item;
    else
      head = item;
    tail = item;
  }
}

static Item* pop(void) {
  Item* item;
#pragma omp critical(queue)
  {
    item = head;
    if (item != NULL) {
      head = item->next;
      if (head == NULL) tail = NULL;
    }
  }
  return item;
}

int main(void) {
  enum { items = 60 };
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      for (int i = 1; i <= items; i++) {
        Item* item = malloc(sizeof *item);
        item->next = NULL;
        item->value = i;
        push(item);
      }
    } else if (omp_get_thread_num() == 1) {
      for (int i = 0; i < items;) {
        Item* item = pop();
        if (item == NULL) continue;
        consumed += item->value;
        free(item);
        i++;
      }
    }
  }
  printf("consumed = %d\n", consumed);
  return consumed == items * (items + 1) / 2 ? 0 : 1;
}
