// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task takes a text apart, another one looks for its last separator.
// Racy: strtok puts a zero there, in its second call.
#include <stdio.h>
#include <string.h>

static char text[] = "one,two,three";

int main(void) {
  int found = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      strtok(text, ",");
      strtok(NULL, ","); // RACE(1)
    }
#pragma omp task shared(found)
    found = text[7] == ','; // RACE(1)
  }
  printf("%d\n", found >= 0);
  return 0;
}
