// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of C11 has a team of its own, whose result the program takes.
// Fixed: when it has joined the thread.
#include <stdio.h>
#include <threads.h>

static int total, start;

static int add(void* unused) {
  int sum = start;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  total = sum;
  if (unused == NULL) thrd_exit(7);
  return 1;
}

int main(void) {
#pragma omp parallel for reduction(+ : start)
  for (int i = 0; i < 10; i++) start += i;
  thrd_t adder;
  int result = 0, got = 0;
  thrd_create(&adder, add, NULL);
  thrd_join(adder, &result);
  got = total;
  printf("total = %d, result = %d\n", total, result);
  return total == 4995 && result == 7 && (got == 4995 || got == 0) ? 0 : 1;
}
