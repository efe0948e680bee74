// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of libc's that store where they are told to: two of them at once.
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
#pragma omp task
    tsearch("one", &root, compare); // RACE(1)
#pragma omp task
    tsearch("two", &root, compare); // RACE(1)
#pragma omp task
    stat("/", &status); // RACE(2)
#pragma omp task
    fstat(0, &status); // RACE(2)
#pragma omp task
    (void)!getrandom(noise, 8, 0); // RACE(3)
#pragma omp task
    (void)!getrandom(noise + 7, 8, 0); // RACE(3)
  }
  printf("%d\n", root != NULL);
  return 0;
}
