// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that changes hands between unordered tasks by free and malloc, by realloc, by munmap and mmap, by OpenMP's
// allocators: the new owner knows nothing of the old one. Nothing may be found.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static long use(int i) {
  long total = 0;
  int* block = malloc(32 * sizeof *block);
  for (int k = 0; k < 32; k++) block[k] = i;
  block = realloc(block, 4000 * sizeof *block);
  for (int k = 0; k < 4000; k++) block[k] = i + k;
  total += block[i];
  free(block);
  long* zeros = calloc(10, sizeof *zeros);
  zeros[i % 10]++;
  total += zeros[i % 10];
  free(zeros);
  char* page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(page, i, 8192);
  munmap(page, 8192);
  int* allocated = omp_alloc(64, omp_default_mem_alloc);
  allocated[3] = i;
  total += allocated[3];
  omp_free(allocated, omp_default_mem_alloc);
  return total;
}

int main(void) {
  long total = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 64; i++)
#pragma omp task
  {
    const long part = use(i);
#pragma omp atomic
    total += part;
  }
  puts(total == 3 * (63 * 64 / 2) + 64 ? "ok" : "wrong"); // 3 i + 1 each
  return 0;
}
