// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each member of a team does, and work that any member may get, where the team has one member, too. Here all of it
// is kept apart.
// threads: 1 2
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int of_module;

static void add_one(long* to) {
#pragma omp atomic
  *to += 1;
}

int main(void) {
  int counter = 0, last = 0, parts = 0, chosen = 0, after = 0, phases = 0;
  double sum = 0, total = 0;
  long by_call = 0;
  long* block = calloc(8, sizeof(long));
#pragma omp parallel
  {
#pragma omp atomic
    counter++;
  }
#pragma omp parallel
  {
#pragma omp masked
    of_module = 1;
#pragma omp barrier
#pragma omp single nowait
    block[2] += 3;
#pragma omp barrier
    add_one(&by_call);
  }
#pragma omp parallel
  {
#pragma omp atomic
    sum += 0.5;
#pragma omp critical
    total += 0.5;
#pragma omp atomic write
    after = 1;
  }
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
#pragma omp atomic write
      parts = 1;
#pragma omp section
#pragma omp atomic write
      parts = 2;
    }
#pragma omp single
    chosen = 1;
#pragma omp single
    chosen = 2;
#pragma omp for schedule(dynamic) lastprivate(last)
    for (int i = 0; i < 8; i++) last = i;
  }
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 8; i++) block[i] = i;
#pragma omp single
    phases = (int)block[0];
  }
  printf("%d\n", counter + of_module + (int)by_call + parts + chosen + after + last + phases > 0 && sum + total > 0);
  free(block);
  return 0;
}
