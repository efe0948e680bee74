// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task fills a structure, another reads its second member.
// Fixed: each task names the members that it uses.
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
#pragma omp task depend(out : record.id, record.value)
    {
      record.id = 1;
      record.value = 2;
    }
#pragma omp task depend(in : record.value) shared(got)
    got = record.value;
  }
  printf("got = %d\n", got);
  return got == 2 ? 0 : 1;
}
