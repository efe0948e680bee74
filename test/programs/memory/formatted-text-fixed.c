// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration makes a text and looks at it.
// Fixed: every iteration has a buffer of its own.
// threads: 2 8
#include <stdio.h>
#include <string.h>

enum { n = 16 };

int main(void) {
  int length = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : length)
  for (int i = 0; i < n; i++) {
    char line[32];
    snprintf(line, sizeof line, "item %d", i);
    length += (int)strlen(line);
  }
  printf("length = %d\n", length);
  return 0;
}
