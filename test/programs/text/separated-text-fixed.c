// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks take a text apart.
// Fixed: each has another part of it, and does not look beyond.
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
      a = strsep(&rest, ",") != NULL;
    }
#pragma omp task shared(b)
    b = (int)strspn(text + 4, "two");
#pragma omp task
    text[8] = 'T';
  }
  printf("%d\n", a != b);
  return 0;
}
