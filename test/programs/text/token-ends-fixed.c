// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task takes a text apart, another one looks for its last separator.
// Fixed: it is not taken apart so far. What comes behind the token is another task's to write.
#include <stdio.h>
#include <string.h>

static char text[] = "one,two,three";

int main(void) {
  int found = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    strtok(text, ",");
#pragma omp task shared(found)
    found = text[7] == ',';
#pragma omp task
    text[4] = 'T';
  }
  printf("%d %s\n", found, text + 4);
  return 0;
}
