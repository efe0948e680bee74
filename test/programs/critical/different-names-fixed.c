// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Even threads deposit, odd threads withdraw, each in a critical section.
// Fixed: one name.
#include <omp.h>
#include <stdio.h>

static int balance = 100;

__attribute__((noinline)) static void deposit(int amount) {
#pragma omp critical(account)
  balance += amount;
}

__attribute__((noinline)) static void withdraw(int amount) {
#pragma omp critical(account)
  balance -= amount * 2;
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
