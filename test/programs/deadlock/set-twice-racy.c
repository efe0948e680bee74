// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that takes a simple lock calls another one that takes it.
// Bug: a simple lock cannot be set twice; the thread waits for itself.
// threads: 1
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int balance, entries;
static omp_lock_t lock;

static void write_entry(void) {
  omp_set_lock(&lock); // FINDING(lock-misuse)
  entries++;
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel for
  for (int i = 0; i < 10; i++) {
    omp_set_lock(&lock);
    balance += i;
    write_entry();
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("balance = %d after %d entries\n", balance, entries);
  return balance == 45 && entries == 10 ? 0 : 1;
}
