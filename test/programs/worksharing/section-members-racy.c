// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Racy: two sections update the same member, and bits of one byte; a loop updates a member where a value says so.
// threads: 2 8
// flags: -gno-column-info
// compilers: clang
// builds: driver
#include <stdio.h>

struct counts {
  int made;
  unsigned low : 4, high : 4;
};

static struct counts total;
static int wanted[100];

int main(void) {
  for (int i = 0; i < 100; i++) wanted[i] = i % 3;
#pragma omp parallel sections
  {
#pragma omp section
    total.made += 3; // RACE(1)
#pragma omp section
    {
      total.made *= 4; // RACE(1)
      printf("other\n");
    }
#pragma omp section
    total.low = 3; // RACE(2)
#pragma omp section
    {
      total.high = 9; // RACE(2)
      printf("bits\n");
    }
  }
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    if (wanted[i] == 1) total.made++; // RACE(3,3)
  printf("%d %u %u\n", total.made, total.low, total.high);
  return 0;
}
