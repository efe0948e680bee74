// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mailbox: a thread puts a letter in and takes out what was there.
// Racy: the swap is atomic but relaxed, so the letter's content is not handed over with it.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int letter[256], mailbox = -1, read_by[256];

__attribute__((noinline)) static int swap(int mine) {
  int other;
#pragma omp atomic capture
  {
    other = mailbox;
    mailbox = mine;
  }
  return other;
}

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    letter[me] = me + 1; // RACE(1)
    int other = swap(me);
    if (other >= 0) read_by[me] = letter[other]; // RACE(1)
  }
  int sum = 0, n = omp_get_max_threads();
  for (int i = 0; i < n; i++) sum += read_by[i];
  printf("%d letters\n", n);
  return sum <= n * (n + 1) / 2 ? 0 : 1;
}
