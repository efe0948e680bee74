// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves of a range, one of them in a task that uses a variable of its creator, which waits for it at the end of a
// taskgroup. The other half is the creator's own, so that taskgroups of one task lie within each other.
// expect: silent
// levels: native graph
#include <stdio.h>

enum { least = 50 };
static int leaves;

static void halve(int length) {
  if (length < least) {
#pragma omp atomic
    leaves++;
    return;
  }
  const int* whole = &length;
#pragma omp taskgroup
  {
#pragma omp task shared(whole)
    halve(*whole / 2);
    halve(length - length / 2);
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; i++) halve(6000);
  printf("leaves = %d\n", leaves);
  return leaves == 8 * 128 ? 0 : 1;
}
