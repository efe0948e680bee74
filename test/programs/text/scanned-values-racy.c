// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks read values from texts: numbers, a word, how far they came.
// Racy: into the same variables.
#include <stdio.h>

static int number, end;
static double value;
static char word[16], line[] = "7 0.5 word";

int main(void) {
  int other = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      sscanf(line, "%d", &number);       // RACE(1)
      sscanf(line, "%*d %lf", &value);   // RACE(2)
      sscanf(line, "%*s %*s %7s", word); // RACE(3)
      sscanf(line, "7%n", &end);
    }
#pragma omp task shared(other)
    {
      sscanf("8 9", "%d %d", &number, &other); // RACE(1)
      sscanf("0.25", "%5lf", &value);          // RACE(2)
      sscanf("words", "%[a-z]", word);         // RACE(3)
    }
  }
  printf("%d\n", number > other);
  return 0;
}
