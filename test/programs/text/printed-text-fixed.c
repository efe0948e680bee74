// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task fills in a name, another one prints it in several ways.
// Fixed: the second task depends on the first one. What precisions leave out is not read.
#include <stdio.h>

static char name[] = "arrows", title[] = "fletcher", tail[4] = {'t', 'a', 'i', 'l'}, beside[] = "left and right";

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : name)
    {
      name[0] = 'A';
      title[0] = 'F';
      tail[3] = 'L';
    }
#pragma omp task depend(inout : name)
    {
      printf("%d: %s\n", 1, name);
      fprintf(stdout, "%2$d %1$s\n", title, 2);
      printf("%*d %.*s\n", 4, 3, 4, tail);
    }
#pragma omp task
    beside[4] = '-';
#pragma omp task depend(in : name)
    printf("%.4s\n", beside);
  }
  return 0;
}
