// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks take a time apart.
// Fixed: each has a structure of its own.
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

int main(void) {
  time_t first = 86400 * 365, second = 86400 * 3650;
  char years[2][8];
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(years, first)
    {
      struct tm parts;
      strftime(years[0], sizeof years[0], "%Y", gmtime_r(&first, &parts));
    }
#pragma omp task shared(years, second)
    {
      struct tm parts;
      strftime(years[1], sizeof years[1], "%Y", gmtime_r(&second, &parts));
    }
  }
  printf("%s %s %d\n", years[0], years[1], time(NULL) > 0);
  return 0;
}
