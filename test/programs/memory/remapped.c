// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has mappings that grow and shrink, and so move to where those of others were.
// expect: silent
// threads: 2 8
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { page = 4096, pages = 16, rounds = 40 };

int main(void) {
  int failed = 0;
#pragma omp parallel reduction(+ : failed)
  for (int r = 0; r < rounds; r++) {
    char* memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) continue;
    memory[0] = 1;
    char* more = mremap(memory, page, pages * page, MREMAP_MAYMOVE);
    if (more == MAP_FAILED) continue;
    for (int i = 0; i < pages * page; i += 64) more[i] = (char)r;
    char* less = mremap(more, pages * page, page, MREMAP_MAYMOVE);
    failed += less[0] != (char)r;
    munmap(less, page);
  }
  printf("failed = %d\n", failed);
  return failed;
}
