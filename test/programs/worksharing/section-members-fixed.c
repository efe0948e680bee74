// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fixed: each section, and each branch, updates a member, an element or bits of its own. A compiler may read all of
// them before it knows where the thread goes: those reads are not the program's.
// threads: 1 2 8
// flags: -gno-column-info
// compilers: clang
#include <omp.h>
#include <stdio.h>

struct counts {
  int made;
  double weight;
  unsigned low : 4, high : 4, : 0, other : 8;
};

static struct counts total;
static int each[4];

int main(void) {
  struct counts here = {0};
  long steps = 0;
#pragma omp parallel sections
  {
#pragma omp section
    total.made += 3;
#pragma omp section
    total.weight += 0.5;
#pragma omp section
    total.low = 3;
#pragma omp section
    total.other = 9;
#pragma omp section
    each[2] += 4;
#pragma omp section
    here.weight -= 1;
#pragma omp section
    here.low = 5;
  }
#pragma omp parallel
  {
    const int leads = omp_get_thread_num() == 0;
    for (int i = 0; i < 10; i++) {
      if (leads) {
        steps++;
        each[3]++;
      }
    }
  }
  printf("%d %g %u %u %d %g %u %ld %d\n", total.made, total.weight, total.low, total.other, each[2], here.weight,
         here.low, steps, each[3]);
  return 0;
}
