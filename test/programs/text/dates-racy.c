// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks take a time apart.
// Racy: localtime and gmtime give back one structure of libc's, and the second call changes what the first one gave.
#include <stdio.h>
#include <time.h>

int main(void) {
  time_t first = 86400 * 365, second = 86400 * 3650;
  int years[2] = {0, 0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(years, first)
    {
      struct tm* parts = localtime(&first); // RACE(1*)
      years[0] = parts->tm_year;            // RACE(1*)
    }
#pragma omp task shared(years, second)
    {
      struct tm* parts = gmtime(&second); // RACE(1*)
      years[1] = parts->tm_year;          // RACE(1*)
    }
  }
  printf("%d\n", years[0] + years[1] > 0);
  return 0;
}
