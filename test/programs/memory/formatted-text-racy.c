// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration makes a text and looks at it.
// Racy: all of them use one buffer.
// threads: 2 8
#include <stdio.h>
#include <string.h>

enum { n = 16 };
static char line[32];

int main(void) {
  int length = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : length)
  for (int i = 0; i < n; i++) {
    snprintf(line, sizeof line, "item %d", i); // RACE(1*)
    length += (int)strlen(line);               // RACE(1*)
  }
  printf("length = %d\n", length);
  return 0;
}
