// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks count the words of a text each.
// Racy: strtok keeps in one place of libc's which text it is in.
#include <stdio.h>
#include <string.h>

static int count(char* text) {
  int words = 0;
  char* word = strtok(text, " "); // RACE(1*)
  while (word != NULL) {
    words++;
    word = strtok(NULL, " "); // RACE(1*)
  }
  return words;
}

int main(void) {
  char left[] = "one two three", right[] = "four five";
  int a = 0, b = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(left, a)
    a = count(left);
#pragma omp task shared(right, b)
    b = count(right);
  }
  printf("%d\n", a >= b);
  return 0;
}
