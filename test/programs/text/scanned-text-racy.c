// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number is read from a text that another task writes.
// Racy: nothing orders the two.
#include <stdio.h>
#include <stdlib.h>

static char text[] = "12 34";

int main(void) {
  int number = 0;
  long first = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    text[1] = '5'; // RACE(1a)
#pragma omp task shared(number, first)
    {
      sscanf(text, "%d", &number);    // RACE(1b)
      first = strtol(text, NULL, 10); // RACE(1b)
      first += atoi(text);            // RACE(1b)
    }
  }
  printf("%d\n", number > 0 && first > 0);
  return 0;
}
