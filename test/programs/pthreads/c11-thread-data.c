// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only the thread that began the program adds to, in several chunks: it asks C11's functions who it is, or for
// what it has kept for itself. Any other thread leaves the memory alone, so nothing is wrong.
// expect: silent
#include <stdio.h>
#include <threads.h>

static thrd_t first;
static tss_t key;
static int by_identity, by_key;

int main(void) {
  first = thrd_current();
  tss_create(&key, NULL);
  tss_set(key, &by_key);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++)
      if (thrd_equal(thrd_current(), first)) by_identity++;
  }
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++) {
      int* const mine = tss_get(key);
      if (mine != NULL) (*mine)++;
    }
  }
  printf("%s\n", by_identity <= 100 && by_key <= 100 ? "ok" : "wrong");
  return 0;
}
