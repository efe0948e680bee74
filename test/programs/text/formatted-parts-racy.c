// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task writes a part, another one makes a text of it, with the length so far.
// Racy: nothing orders the two.
#include <stdio.h>
#include <string.h>

static char part[16] = "part";
static int length;

int main(void) {
  char text[64];
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      memcpy(part, "item", 5); // RACE(1)
      length = 0;              // RACE(2)
    }
#pragma omp task shared(text)
    {
      snprintf(text, sizeof text, "the %d. %s", 2, part); // RACE(1)
      sprintf(text, "%d%n %d", 12345, &length, 6);        // RACE(2)
    }
  }
  printf("%d\n", length >= 0);
  return 0;
}
