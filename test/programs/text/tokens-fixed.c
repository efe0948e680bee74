// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks count the words of a text each.
// Fixed: strtok_r has a place of the task's own for where it is, and so does strsep.
#include <stdio.h>
#include <string.h>

static int count(char* text) {
  int words = 0;
  char* rest = NULL;
  for (char* word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) words++;
  return words;
}
static int count_parts(char* text) {
  int parts = 0;
  for (char *rest = text, *part = strsep(&rest, ","); part != NULL; part = strsep(&rest, ",")) parts++;
  return parts;
}

int main(void) {
  char left[] = "one two three", right[] = "four five", both[] = "a,,b", pairs[] = "x y";
  int a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(left, a)
    a = count(left);
#pragma omp task shared(right, b)
    b = count(right);
#pragma omp task shared(both, c)
    c = count_parts(both);
#pragma omp taskwait
    // One after the other.
    for (char* word = strtok(pairs, " "); word != NULL; word = strtok(NULL, " ")) a++;
#pragma omp task shared(left, b)
    b += strtok(left, "n") != NULL;
  }
  printf("%d %d %d\n", a, b, c);
  return 0;
}
