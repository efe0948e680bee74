// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads draw tickets.
// Fixed: atomic capture does both at once.
#include <omp.h>
#include <stdio.h>

static int next_ticket, drawn[256];

int main(void) {
#pragma omp parallel
  {
    int ticket;
#pragma omp atomic capture
    ticket = ++next_ticket;
    drawn[omp_get_thread_num()] = ticket;
  }
  int sum = 0;
  int n = omp_get_max_threads();
  for (int i = 0; i < n; i++) sum += drawn[i];
  printf("sum = %d\n", sum);
  return sum == n * (n + 1) / 2 ? 0 : 1;
}
