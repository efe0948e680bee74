// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task fills a structure, another reads its second member.
// Racy: the structure and its member are different list items.
// levels: native graph
#include <stdio.h>

static struct {
  int id, value;
} record;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : record) // FINDING(unmatched-dependence,1)
    {
      record.id = 1;
      record.value = 2; // RACE(1)
    }
#pragma omp task depend(in : record.value) shared(got) // FINDING(unmatched-dependence,1)
    got = record.value;                                // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 2 ? 0 : 1;
}
