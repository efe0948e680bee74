// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task writes a part, another one makes a text of it, with the length so far.
// Fixed: the text is made when the task has ended.
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
      memcpy(part, "item", 5);
      length = 0;
    }
#pragma omp taskwait
#pragma omp task shared(text)
    {
      snprintf(text, sizeof text, "the %d. %s", 2, part);
      sprintf(text, "%d%n %d", 12345, &length, 6);
    }
  }
  printf("%d\n", length >= 0);
  return 0;
}
