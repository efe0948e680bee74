// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task fills in a name, another one prints it in several ways.
// Racy: nothing orders the two.
#include <stdio.h>

static char name[] = "arrows", title[] = "fletcher", tail[4] = {'t', 'a', 'i', 'l'};

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      name[0] = 'A';  // RACE(1)
      title[0] = 'F'; // RACE(2)
      tail[3] = 'L';  // RACE(3)
    }
#pragma omp task
    {
      printf("%d: %s\n", 1, name);              // RACE(1)
      fprintf(stdout, "%2$d %1$s\n", title, 2); // RACE(2)
      printf("%*d %.*s\n", 4, 3, 4, tail);      // RACE(3)
    }
  }
  return 0;
}
