// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Very many small regions, one after the other: a loop, tasks with and without dependences, a critical construct and
// memory of its own in each, and now and then another place in the program's memory. What a region leaves behind is
// over with it, so the process stays as large as it was after the first part of them. Argument: how many.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { cells = 1 << 15, may_grow = 3 << 20 };

static long cell[cells];

static long resident(void) {
  long all = 0, here = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &all, &here) != 2) exit(2);
  fclose(file);
  return here * sysconf(_SC_PAGESIZE);
}

static long region(long r) {
  long sum = 0, chain = 0;
  long* const block = malloc(8 * sizeof *block);
#pragma omp parallel num_threads(2)
  {
#pragma omp for nowait
    for (int i = 0; i < 8; i++) block[i] = cell[(r * 8 + i) % cells]++;
#pragma omp single
    for (int t = 0; t < 3; t++) {
#pragma omp task shared(chain) depend(inout : chain)
      chain += t;
#pragma omp task
      {
#pragma omp critical
        sum += t;
      }
    }
  }
  for (int i = 0; i < 8; i++) sum += block[i] & 1;
  free(block);
  return sum + chain;
}

int main(int argc, char** argv) {
  const long regions = argc > 1 ? atol(argv[1]) : 100000;
  long sum = 0, before = 0;
  for (long r = 0; r < regions; r++) {
    if (r == regions / 5) before = resident();
    sum += region(r);
  }
  const long grown = resident() - before;
  if (grown > may_grow) printf("grown by %ld bytes\n", grown);
  puts(sum > 0 ? "ok" : "wrong");
  return 0;
}
