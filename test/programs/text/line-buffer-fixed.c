// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks read a line each.
// Fixed: into a buffer of their own.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE* file = tmpfile();
  fputs("first\nother\n", file);
  rewind(file);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; i++) {
#pragma omp task
    {
      char* line = NULL;
      size_t room = 0;
      ssize_t length = getline(&line, &room, file);
      printf("%d\n", (int)length);
      free(line);
    }
  }
  fclose(file);
  return 0;
}
