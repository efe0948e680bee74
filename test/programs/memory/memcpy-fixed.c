// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks copy blocks into a buffer.
// Fixed: they lie side by side.
#include <stdio.h>
#include <string.h>

enum { blocks = 4, n = 64 };
static char source[n], buffer[blocks * n];

int main(int argc, char** argv) {
  (void)argv;
  size_t length = (size_t)(n - argc + 1);
  memset(source, 'x', sizeof source);
#pragma omp parallel
#pragma omp single
  for (int b = 0; b < blocks; b++) {
#pragma omp task firstprivate(b, length)
    memcpy(buffer + b * n, source, length);
  }
  printf("first = %c\n", buffer[0]);
  return buffer[0] == 'x' ? 0 : 1;
}
