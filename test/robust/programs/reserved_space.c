// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reserves 100 GB of address space, as managed runtimes and allocators do, and uses a little of it here and there.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { places = 64 };

int main(void) {
  const size_t size = 100ULL << 30, used = 1 << 16;
  char* space = mmap(0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return 3;
  long sum = 0;
  for (int round = 0; round < 2; round++) {
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < places; i++) {
      char* place = space + size / places * (size_t)i;
      mprotect(place, used, PROT_READ | PROT_WRITE);
      memset(place, 1, used);
      for (size_t k = 0; k < used; k += 256) sum += place[k];
      madvise(place, used, MADV_DONTNEED);
    }
  }
  munmap(space, size);
  puts(sum == 2L * places * 256 ? "ok" : "wrong");
  return 0;
}
