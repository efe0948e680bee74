// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task compares a version and turns a secret's bytes round, another one forgets the secret and writes the version.
// Racy: nothing orders the two.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char secret[8] = "ehllo!!", turned[8], version[8] = "1.9";

int main(void) {
  int newer = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(newer)
    {
      newer = strverscmp(version, "1.10"); // RACE(1)
      swab(secret, turned, 6);             // RACE(2)
    }
#pragma omp task
    {
      version[2] = '8';                       // RACE(1)
      explicit_bzero(secret, sizeof(secret)); // RACE(2)
    }
  }
  printf("%d\n", newer < 0);
  return 0;
}
