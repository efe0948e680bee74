// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a team use a table that the first of them fills, by call_once.
// Fixed: all of them call it.
#include <omp.h>
#include <stdio.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int table[4], sum;

static void fill(void) {
  for (int i = 0; i < 4; i++) table[i] = 9;
}

int main(void) {
#pragma omp parallel reduction(+ : sum)
  {
    call_once(&once, fill);
    sum += table[2];
  }
  printf("%s\n", sum % 9 == 0 ? "ok" : "wrong");
  return 0;
}
