// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table with a lock for each bucket.
// Racy: the last bucket's lock is not initialised. LLVM's runtime takes the first lock of the program for it.
// levels: native graph
#include <omp.h>
#include <stdio.h>

#define BUCKETS 5

static omp_lock_t locks[BUCKETS];
static int counts[BUCKETS];

static void count(int bucket) {
  omp_set_lock(&locks[bucket]); // FINDING(lock-misuse)
  counts[bucket]++;
  omp_unset_lock(&locks[bucket]);
}

int main(void) {
  for (int i = 0; i < BUCKETS - 1; i++) omp_init_lock(&locks[i]);
#pragma omp parallel for
  for (int i = 0; i < 40; i++) count(i % BUCKETS);
  for (int i = 0; i < BUCKETS - 1; i++) omp_destroy_lock(&locks[i]);
  printf("%d\n", counts[BUCKETS - 1]);
  return counts[BUCKETS - 1] == 40 / BUCKETS ? 0 : 1;
}
