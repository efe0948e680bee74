// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread 0 prepares and then counts, thread 1 counts and then prepares.
// Fixed: thread 1 prepares only if it finds that thread 0 has counted before: in the section that counts, in a later
// one, or by a function that knows the count.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int prepared[4], known;

__attribute__((noinline)) static int look(const int* count) { return *count; }

int main(void) {
  int hits = 0, met = 0, last = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    int seen[4] = {0, 0, 0, 0};
    if (me == 0)
      for (int i = 0; i < 4; i++) prepared[i] = 1;
    if (me < 2) {
#pragma omp critical
      seen[0] = ++hits;
#pragma omp critical
      met++;
#pragma omp critical
      known++;
#pragma omp critical
      last++;
    }
    if (me == 1) {
#pragma omp critical
      {
        seen[1] = met;
        seen[2] = known;
        seen[3] = look(&last);
      }
      for (int i = 0; i < 4; i++)
        if (seen[i] == 2) prepared[i] = 2;
    }
  }
  printf("hits = %d\n", hits + met + known + last);
  return prepared[0] != 0 && hits == 2 && met == 2 && known == 2 && last == 2 ? 0 : 1;
}
