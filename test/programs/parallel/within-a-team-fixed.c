// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each team of a league counts for itself.
// Fixed: the threads of a team exclude each other.
// threads: 2 8
// compilers: clang
#include <stdio.h>

int main(void) {
  int some = 0;
#pragma omp teams shared(some)
  {
    int count = 0;
#pragma omp parallel num_threads(2) shared(count)
#pragma omp atomic
    count++;
#pragma omp atomic
    some += count > 0;
  }
  printf("some worked: %d\n", some > 0);
  return some > 0 ? 0 : 1;
}
