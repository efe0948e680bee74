// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function with a critical construct calls another one.
// Bug: of the same name, so that the thread waits for itself.
// threads: 1
// levels: graph
#include <stdio.h>

static int balance, entries;

static void write_entry(void) {
#pragma omp critical(account) // FINDING(dependence-cycle)
  entries++;
}

static void deposit(int amount) {
#pragma omp critical(account)
  {
    balance += amount;
    write_entry();
  }
}

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 10; i++) deposit(i);
  printf("balance = %d after %d entries\n", balance, entries);
  return balance == 45 && entries == 10 ? 0 : 1;
}
