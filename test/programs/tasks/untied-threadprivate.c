// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An untied task goes on with another thread after a scheduling point. What it does with threadprivate memory between
// two scheduling points is the business of that thread alone, whichever thread the task began on.
// expect: silent
#include <stdio.h>

#define TASKS 200

static int digits[8], used;
#pragma omp threadprivate(digits, used)

static void begin(void) { used = 0; }

static void add(int digit) { digits[used++] = digit; }

static int value(void) {
  int result = 0;
  for (int i = 0; i < used; i++) result = result * 10 + digits[i];
  return result;
}

static int number(int n) {
  begin();
  add(n / 100);
  add(n / 10 % 10);
  add(n % 10);
  return value();
}

static int results[TASKS];

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < TASKS; i++) {
#pragma omp task untied
    {
      results[i] = 1;
#pragma omp taskyield
      results[i] += number(i);
#pragma omp taskyield
      results[i] += number(i + 1);
    }
  }
  int wrong = 0;
  for (int i = 0; i < TASKS; i++) wrong += results[i] != 2 * i + 2;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
