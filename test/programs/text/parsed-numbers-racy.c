// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks read numbers off one text, with one place for where they are.
// Racy: both move that place.
#include <stdio.h>
#include <stdlib.h>

static char text[] = "1 2 3 4";
static char* place = text;

int main(void) {
  long a = 0;
  double b = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a)
    a = strtol(text, &place, 10); // RACE(1)
#pragma omp task shared(b)
    b = strtod(text, &place); // RACE(1)
  }
  printf("%g\n", (double)a + b);
  return 0;
}
