// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number is read from a text that another task writes.
// Fixed: the text is read when the task has ended.
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
    text[1] = '5';
#pragma omp taskwait
#pragma omp task shared(number, first)
    {
      sscanf(text, "%d", &number);
      first = strtol(text, NULL, 10);
      first += atoi(text);
    }
  }
  printf("%d\n", number > 0 && first > 0);
  return 0;
}
