// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the critical construct keeps apart is output: it is needed, though each thread has a variable of its own.
// threads: 2 8
// expect: silent
// builds: stock
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>

static int numbers[64];

int main(void) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 64; i++) {
#pragma omp critical
    {
      numbers[i] = i;
      fputs("a ", stdout);
      fputs("line\n", stdout);
    }
  }
  return numbers[63] != 63;
}
