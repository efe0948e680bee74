// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Has a data race, then writes over all of the heap, and is ended by a signal or in malloc. For MALLOC_ARENA_MAX=1:
// threads have no other heaps then.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int counter;

static void destroy_heap(void) {
  static char maps[1 << 16];
  const int file = open("/proc/self/maps", O_RDONLY);
  size_t size = 0;
  for (ssize_t got = 1; got > 0; size += (size_t)got) got = read(file, maps + size, sizeof maps - 1 - size);
  char* line = strstr(maps, "[heap]");
  while (line[-1] != '\n') line--;
  char* const begin = (char*)strtoull(line, NULL, 16);
  memset(begin, 'x', (size_t)((char*)sbrk(0) - begin));
}

int main(int argc, char** argv) {
  free(malloc(16));
#pragma omp parallel num_threads(2)
  counter++;
  destroy_heap();
  if (argc > 1 && strcmp(argv[1], "signal") == 0) raise(SIGTERM);
  for (size_t size = 16;; size *= 2) free(malloc(size));
}
