// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A collapsed loop over pairs adds to both elements of each.
// Racy: the additions are not atomic.
// threads: 2 8
// compilers: clang
#include <stdio.h>

enum { N = 12 };
static int force[N];

int main(void) {
#pragma omp parallel for collapse(2) schedule(static, 1)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++) {
      force[i] += 1; // RACE(1,1) ALSO(f)
      force[j] -= 1; // ALSO(f)
    }
  printf("%d\n", force[0] < 0);
  return 0;
}
