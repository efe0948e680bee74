// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks read numbers off one text, with one place for where they are.
// Fixed: each has a place of its own. What comes after the number is not read.
#include <stdio.h>
#include <stdlib.h>

static char text[] = "1 2 3 4";

int main(void) {
  long a = 0;
  double b = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a)
    {
      char* place = text;
      a = strtol(text, &place, 10) + atol(text);
    }
#pragma omp task shared(b)
    {
      char* place = text;
      b = strtod(text, &place);
    }
#pragma omp task
    text[3] = '-';
  }
  printf("%g\n", (double)a + b);
  return 0;
}
