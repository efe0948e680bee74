// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has a double-ended queue of work with a lock of its own. It takes from the one end; who has nothing left
// steals from the other end of somebody else's. Work is used without any lock.
// expect: silent
// threads: 2 8
#include <omp.h>
#include <stdio.h>

enum { most = 64, each = 12 };

typedef struct {
  omp_lock_t lock;
  int first, last, work[each];
} Deque;

static Deque deque[most];
static int result[most * each];

static int take(Deque* d) {
  int work = -1;
  omp_set_lock(&d->lock);
  if (d->first < d->last) work = d->work[--d->last];
  omp_unset_lock(&d->lock);
  return work;
}

static int steal(Deque* d) {
  int work = -1;
  omp_set_lock(&d->lock);
  if (d->first < d->last) work = d->work[d->first++];
  omp_unset_lock(&d->lock);
  return work;
}

int main(void) {
  int n = omp_get_max_threads() < most ? omp_get_max_threads() : most;
  for (int i = 0; i < n; i++) omp_init_lock(&deque[i].lock);
#pragma omp parallel num_threads(n)
  {
    int me = omp_get_thread_num();
    Deque* mine = &deque[me];
    for (int i = 0; i < each; i++) {
      result[me * each + i] = -1;
      omp_set_lock(&mine->lock);
      mine->work[mine->last++] = me * each + i;
      omp_unset_lock(&mine->lock);
    }
    for (int work; (work = take(mine)) >= 0;) result[work] = work;
    for (int other = 0; other < n; other++)
      for (int work; (work = steal(&deque[other])) >= 0;) result[work] = work;
  }
  int done = 0;
  for (int i = 0; i < n * each; i++) done += result[i] == i;
  for (int i = 0; i < n; i++) omp_destroy_lock(&deque[i].lock);
  printf("done = %d\n", done);
  return done == n * each ? 0 : 1;
}
