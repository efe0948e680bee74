// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that takes a nestable lock calls another one that takes it.
// Fixed: a nestable lock can be set again by its owner.
// threads: 1 2
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int balance, entries;
static omp_nest_lock_t lock;

static void write_entry(void) {
  omp_set_nest_lock(&lock);
  entries++;
  omp_unset_nest_lock(&lock);
}

int main(void) {
  omp_init_nest_lock(&lock);
#pragma omp parallel for
  for (int i = 0; i < 10; i++) {
    omp_set_nest_lock(&lock);
    balance += i;
    write_entry();
    omp_unset_nest_lock(&lock);
  }
  omp_destroy_nest_lock(&lock);
  printf("balance = %d after %d entries\n", balance, entries);
  return balance == 45 && entries == 10 ? 0 : 1;
}
