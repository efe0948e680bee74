// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread reads one of two neighbours; one of them is changed by the thread that reads it. A compiler may read both
// and choose then.
// Bug: one thread changes what the others read.
// builds: driver
// threads: 2 8
// flags: -O2
#include <omp.h>
#include <stdio.h>

struct pair {
  int own, common;
};

static int pick(const struct pair* from, int own) {
  int value;
  if (own)
    value = from->own;
  else
    value = from->common; // RACE(1b)
  return value;
}

int main(void) {
  struct pair pair = {1, 2};
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const int me = omp_get_thread_num();
    if (me == 0) pair.common = 7;                             // RACE(1a)
    for (int i = 0; i < 10; i++) sum += pick(&pair, me == 0); // RACE(1b)
  }
  printf("%d\n", sum > 0);
  return 0;
}
