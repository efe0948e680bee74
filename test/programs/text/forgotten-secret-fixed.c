// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task compares a version and turns a secret's bytes round, another one forgets the secret and writes the version.
// Fixed: the first one is waited for.
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
      newer = strverscmp(version, "1.10");
      swab(secret, turned, 6);
    }
#pragma omp taskwait
#pragma omp task
    {
      version[2] = '8';
      explicit_bzero(secret, sizeof(secret));
    }
  }
  printf("%d\n", newer < 0);
  return 0;
}
