// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that tells what cannot be seen. With Fletcher nothing may be found; without it (and without its library)
// the annotations do nothing. -DSILENT leaves them out: then there are four races.
#include "fletcher/fletcher.h"

#include <stdio.h>

#ifdef SILENT
#undef FLETCHER_CALL_
#define FLETCHER_CALL_(function, arguments) ((void)0)
#endif

static int handed, statistics, pool[4], own_lock, under_own_lock, ignored;
static volatile int flag;

int main(void) {
  FLETCHER_BENIGN_RACE(&statistics, sizeof statistics, "an estimate will do");
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    {
      statistics++;
      handed = 1;
      pool[1] = 1;
      while (__sync_lock_test_and_set(&own_lock, 1)) {
      }
      FLETCHER_LOCK_ACQUIRED(&own_lock);
      under_own_lock++;
      FLETCHER_LOCK_RELEASING(&own_lock);
      __sync_lock_release(&own_lock);
      FLETCHER_IGNORE_BEGIN();
      ignored++;
      FLETCHER_IGNORE_END();
      FLETCHER_HAPPENS_BEFORE(&handed);
#pragma omp atomic write
      flag = 1;
    }
#pragma omp task
    {
      int seen = 0;
      while (!seen) {
#pragma omp taskyield
#pragma omp atomic read
        seen = flag;
      }
      FLETCHER_NEW_MEMORY(pool, sizeof pool);
      pool[1] = 2;
      FLETCHER_HAPPENS_AFTER(&handed);
      handed = 2;
      statistics++;
      while (__sync_lock_test_and_set(&own_lock, 1)) {
      }
      FLETCHER_LOCK_ACQUIRED(&own_lock);
      under_own_lock++;
      FLETCHER_LOCK_RELEASING(&own_lock);
      __sync_lock_release(&own_lock);
      ignored++;
    }
  }
  puts(handed == 2 && statistics == 2 && under_own_lock == 2 ? "ok" : "wrong");
  return 0;
}
