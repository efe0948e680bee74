// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Even threads deposit, odd threads withdraw, each in a critical section.
// Racy: the sections have different names and do not exclude each other.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int balance = 100;

__attribute__((noinline)) static void deposit(int amount) {
#pragma omp critical(deposits)
  balance += amount; // RACE(1)
}

__attribute__((noinline)) static void withdraw(int amount) {
#pragma omp critical(withdrawals)
  balance -= amount * 2; // RACE(1)
}

int main(void) {
#pragma omp parallel num_threads(2 * ((omp_get_max_threads() + 1) / 2))
  {
    if (omp_get_thread_num() % 2 == 0)
      deposit(2);
    else
      withdraw(1);
  }
  printf("balance = %d\n", balance);
  return balance == 100 ? 0 : 1;
}
