// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of libc's that store where they are told to: one after the other, or each in its own place.
// threads: 1 4
// builds: stock
// compilers: clang
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

static int compare(const void* a, const void* b) { return strcmp(a, b); }
static void* root;
static struct stat status;
static char noise[16];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : root)
    tsearch("one", &root, compare);
#pragma omp task depend(inout : root)
    tsearch("two", &root, compare);
#pragma omp task depend(out : status)
    stat("/", &status);
#pragma omp task depend(out : status)
    fstat(0, &status);
#pragma omp task
    (void)!getrandom(noise, 8, 0);
#pragma omp task
    (void)!getrandom(noise + 8, 8, 0);
  }
  printf("%d\n", root != NULL);
  return 0;
}
