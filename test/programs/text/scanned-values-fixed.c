// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks read values from texts: numbers, a word, how far they came.
// Fixed: the second one reads into variables of its own. What a call did not come to it did not write: both tasks name
// never, and neither gets there.
#include <stdio.h>

static int number, end, never;
static double value;
static char word[16], line[] = "7 0.5 word";

int main(void) {
  int other = 0, own = 0;
  double own_value = 0;
  char own_word[16];
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      sscanf(line, "%d %d", &number, &never);
      sscanf(line, "%*d %lf", &value);
      sscanf(line, "%*s %*s %7s", word);
      sscanf(line, "7%n", &end);
      sscanf(line, "%*d %*f %d", &never);
      sscanf(line, "8%n", &never);
    }
#pragma omp task shared(other, own, own_value, own_word)
    {
      sscanf("8 9 x", "%d %d %d", &own, &other, &never);
      sscanf("0.25", "%5lf", &own_value);
      sscanf("words", "%[a-z]", own_word);
      sscanf(line, "8%n", &never);
    }
  }
  printf("%d %d %g %s %d %g %s %d %d\n", number, end, value, word, own, own_value, own_word, other, never);
  return 0;
}
