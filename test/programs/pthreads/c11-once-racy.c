// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a team use a table that the first of them fills, by call_once.
// Racy: one of them does not call it.
// threads: 2 8
#include <omp.h>
#include <stdio.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int table[4], sum;

static void fill(void) {
  for (int i = 0; i < 4; i++) table[i] = 9; // RACE(1)
}

int main(void) {
#pragma omp parallel reduction(+ : sum)
  {
    if (omp_get_thread_num() != 1) call_once(&once, fill);
    sum += table[2]; // RACE(1)
  }
  printf("%s\n", sum % 9 == 0 ? "ok" : "wrong");
  return 0;
}
