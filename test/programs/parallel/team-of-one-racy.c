// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each member of a team does, and work that any member may get, where the team has one member, too.
// Bug: nothing orders the members' writes to memory of the team.
// threads: 1 2
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int of_module;

static void add_one(long* to) {
  *to += 1; // RACE(4,4)
}

int main(void) {
  int counter = 0, last = 0, parts = 0, chosen = 0, after = 0, phases = 0;
  double sum = 0, total = 0;
  long by_call = 0;
  long* block = calloc(8, sizeof(long));
#pragma omp parallel
  counter++; // RACE(1,1)
#pragma omp parallel
  {
    of_module = 1; // RACE(2,2)
#pragma omp barrier
    block[2] += 3; // RACE(3,3)
#pragma omp barrier
    add_one(&by_call);
  }
#pragma omp parallel
  {
#pragma omp atomic
    sum += 0.5;
#pragma omp critical
    total += 0.5;
    after = 1; // RACE(5,5)
  }
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      parts = 1; // RACE(6)
#pragma omp section
      parts = 2; // RACE(6)
    }
#pragma omp single nowait
    chosen = 1; // RACE(7)
#pragma omp single
    chosen = 2; // RACE(7)
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 8; i++) last = i; // RACE(8,8)
  }
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 8; i++) block[i] = i; // RACE(9)
#pragma omp single
    phases = (int)block[0]; // RACE(9)
  }
  printf("%d\n", counter + of_module + (int)by_call + parts + chosen + after + last + phases > 0 && sum + total > 0);
  free(block);
  return 0;
}
