// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task changes two lines, another one prints them.
// Fixed: the lines are printed when the task has ended.
#include <stdio.h>

static char first[] = "first line", second[] = "second line\n";

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      first[9] = 'E';
      second[10] = 'E';
    }
#pragma omp taskwait
#pragma omp task
    {
      puts(first);
      fputs(second, stdout);
    }
  }
  return 0;
}
