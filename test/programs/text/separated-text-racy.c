// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks take a text apart.
// Racy: it is the same text.
#include <stdio.h>
#include <string.h>

static char text[] = "one,two,three";

int main(void) {
  int a = 0, b = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a)
    {
      char* rest = text;
      a = strsep(&rest, ",") != NULL; // RACE(1)
    }
#pragma omp task shared(b)
    b = (int)strspn(text, "one"); // RACE(1)
  }
  printf("%d\n", a != b);
  return 0;
}
