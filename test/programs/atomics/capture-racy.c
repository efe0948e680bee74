// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads draw tickets.
// Racy: the ticket is read apart from the atomic increment.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int next_ticket, drawn[256];

int main(void) {
#pragma omp parallel
  {
    int ticket;
#pragma omp atomic update
    next_ticket += 1;     // RACE(1)
    ticket = next_ticket; // RACE(1)
    drawn[omp_get_thread_num()] = ticket;
  }
  int sum = 0;
  int n = omp_get_max_threads();
  for (int i = 0; i < n; i++) sum += drawn[i];
  printf("sum = %d\n", sum);
  return sum == n * (n + 1) / 2 ? 0 : 1;
}
