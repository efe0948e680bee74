// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task changes two lines, another one prints them.
// Racy: nothing orders the two.
#include <stdio.h>

static char first[] = "first line", second[] = "second line\n";

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      first[9] = 'E';   // RACE(1)
      second[10] = 'E'; // RACE(2)
    }
#pragma omp task
    {
      puts(first);           // RACE(1)
      fputs(second, stdout); // RACE(2)
    }
  }
  return 0;
}
