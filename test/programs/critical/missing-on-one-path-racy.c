// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deposits are protected.
// Racy: withdrawals are not.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int balance = 100;

__attribute__((noinline)) static void deposit(int amount) {
#pragma omp critical
  balance += amount; // RACE(1)
}

__attribute__((noinline)) static void withdraw(int amount) {
  balance -= amount * 2; // RACE(1)
}

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0)
      withdraw(1);
    else
      deposit(2);
  }
  int expected = 98 + 2 * (omp_get_max_threads() - 1);
  printf("balance = %d\n", balance);
  return balance == expected ? 0 : 1;
}
