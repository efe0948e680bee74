// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks read a line each.
// Racy: into one buffer.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static char* line;
static size_t room;

int main(void) {
  FILE* file = tmpfile();
  fputs("first\nsecond\n", file);
  rewind(file);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    (void)!getline(&line, &room, file); // RACE(1)
#pragma omp task
    (void)!getdelim(&line, &room, '\n', file); // RACE(1)
  }
  fclose(file);
  free(line);
  return 0;
}
