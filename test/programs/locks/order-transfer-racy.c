// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each task moves money between two accounts, for which it needs the locks of both.
// Racy: it takes the lock of the payer first.
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "one-at-a-time.h"

enum { count = 4 };
struct account {
  omp_lock_t lock;
  int balance;
};
static struct account accounts[count];

static void transfer(int from, int to, int amount) {
  struct account *first = &accounts[from], *second = &accounts[to];
  begin_alone();
  omp_set_lock(&first->lock);
  omp_set_lock(&second->lock); // FINDING(lock-order-cycle)
  accounts[from].balance -= amount;
  accounts[to].balance += amount;
  omp_unset_lock(&second->lock);
  omp_unset_lock(&first->lock);
  end_alone();
}

int main(void) {
  for (int i = 0; i < count; ++i) omp_init_lock(&accounts[i].lock);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 12; ++i) transfer(i % count, (i % count) ^ 1, i);
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += accounts[i].balance;
    omp_destroy_lock(&accounts[i].lock);
  }
  printf("sum = %d\n", sum);
  return sum;
}
