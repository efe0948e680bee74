// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that is computed when it is first needed.
// Racy: a plain variable and a test.
// threads: 2 8
#include <cstdio>
#include <omp.h>

__attribute__((noinline)) static int compute() { return 17; }

static int cached_value() {
  static int cached = 0;
  if (cached == 0)      // RACE(1) ALSO(cached)
    cached = compute(); // RACE(1) ALSO(cached)
  return cached;        // ALSO(cached)
}

static int got[256];

int main() {
#pragma omp parallel
  got[omp_get_thread_num()] = cached_value();
  std::printf("got = %d\n", got[0]);
  return got[0] == 17 ? 0 : 1;
}
