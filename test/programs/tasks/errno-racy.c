// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks read numbers and look whether that worked.
// Racy: they add them up. (That errno is the thread's own tells none of them which thread it is on.)
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 10 };

int main(void) {
  const char* const text = "7";
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
#pragma omp task shared(sum)
    {
      errno = 0;
      long number = strtol(text, NULL, 10);
      if (errno == 0) sum += number; // RACE(1,1)
    }
  }
  printf("%s\n", sum > 0 ? "added" : "nothing");
}
