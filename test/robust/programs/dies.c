// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Has nothing to be found, and dies where and how the arguments say.
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int* volatile nowhere;
static void (*volatile nothing)(void);

/// Over its own frame: it returns to nowhere, and nobody finds its caller.
__attribute__((noinline)) static void smash(void) {
  volatile long small[2];
  volatile long* beyond = small;
  for (int i = 0; i < 16; ++i) beyond[i] = 0x4141414141414141;
}

static void die(const char* way) {
  if (!strcmp(way, "abort")) abort();
  if (!strcmp(way, "term")) raise(SIGTERM);
  if (!strcmp(way, "call")) nothing();
  if (!strcmp(way, "smash")) smash();
  *nowhere = 1;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const char *where = argv[1], *way = argv[2];
  if (!strcmp(where, "outside")) die(way);
#pragma omp parallel num_threads(2)
  {
    if (!strcmp(where, "region") && omp_get_thread_num() == 1) die(way);
    if (!strcmp(where, "task") && omp_get_thread_num() == 1) {
#pragma omp task
      die(way);
    }
#pragma omp barrier
  }
  return 0;
}
