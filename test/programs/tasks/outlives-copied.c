// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that do not wait for their tasks, which need nothing of them: values are copied, and a pointer is to what
// the caller has.
// expect: silent
// levels: native graph
#include <stdio.h>

static int got[4];

__attribute__((noinline)) static void start(int i, const int* values) {
  int local = i * 10;
#pragma omp task firstprivate(local, i, values) shared(got)
  got[i] = local + values[i];
}

int main(void) {
  int values[4] = {1, 2, 3, 4};
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 4; i++) start(i, values);
#pragma omp taskwait
  }
  printf("%d %d\n", got[0], got[3]);
  return got[0] == 1 && got[3] == 34 ? 0 : 1;
}
