// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread draws a number at its first use, and keeps it in thread-local memory. Tasks, and who creates them, count
// in the slot of that number; before that, tasks read a table that many others read.
// Silent: a slot is only ever touched by its thread, one tied task at a time.
// expect: silent
#include <stdio.h>

enum { n = 60 };
static long numbers, table[n], slots[64][8], sums[n];
static _Thread_local long number = -1;

static void count(void) {
  if (number < 0) {
#pragma omp atomic capture
    number = numbers++;
  }
  slots[number][0]++;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
      {
        for (int k = 0; k < n; k++) sums[i] += table[k];
        count();
      }
    }
    count();
#pragma omp taskgroup
    for (int i = 0; i < n; i++) {
#pragma omp task
      {
#pragma omp task
        count();
        count();
      }
    }
    count();
  }
  long sum = 0;
  for (int i = 0; i < 64; i++) sum += slots[i][0];
  printf("sum = %ld\n", sum);
  return sum == 3 * n + 2 ? 0 : 1;
}
