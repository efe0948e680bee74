// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks write to neighbouring bytes and to parts of one machine word.
// Fixed: no byte is written twice. Neighbouring bytes are different memory.
#include <stdio.h>

static char bytes[16];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int b = 0; b < 8; b++) {
#pragma omp task firstprivate(b)
      bytes[b] = (char)(b + 1);
    }
#pragma omp task
    for (int b = 8; b < 12; b++) bytes[b] = 12;
#pragma omp task
    for (int b = 12; b < 16; b++) bytes[b] = 16;
  }
  printf("bytes = %d %d %d\n", bytes[0], bytes[7], bytes[15]);
  return bytes[0] == 1 && bytes[7] == 8 && bytes[15] == 16 ? 0 : 1;
}
