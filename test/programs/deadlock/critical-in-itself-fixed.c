// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function with a critical construct calls another one.
// Fixed: each has a name of its own.
// threads: 1 2
// levels: native graph
#include <stdio.h>

static int balance, entries;

static void write_entry(void) {
#pragma omp critical(log)
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
