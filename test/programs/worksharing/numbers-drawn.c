// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread draws a number, or learns in some other way which of some places is its own, and all iterations of a
// dynamic loop that it executes use that place.
// Silent: another thread would have used its own place.
// expect: silent
#include <omp.h>
#include <stdio.h>

enum { n = 32, most = 64 };
static int places[12][most][8], next_section, next_lock, next_condition, next_exchange, given[most], taken[3];
static _Thread_local int number = -1, *pointer;

static void use(int kind, int place) {
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; i++) places[kind][place][0] += i;
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel
  {
    int mine;
#pragma omp critical
    {
      mine = next_section;
      next_section = mine + 1;
    }
    use(0, mine);
    omp_set_lock(&lock);
    next_lock++;
    mine = next_lock;
    omp_unset_lock(&lock);
    use(1, mine);
    int first = 0; // of those who come here one
#pragma omp critical
    if (next_condition == 0) {
      next_condition = 1;
      first = 1;
    }
    if (first) {
      for (int i = 0; i < n; i++) places[2][0][0] += i;
#pragma omp task
      places[2][0][0]++;
#pragma omp taskwait
    }
  }
#pragma omp parallel
  {
    const int mine = omp_get_thread_num();
    given[mine] = mine;
    use(3, given[mine]);
    const int even = mine % 2 == 0;
    use(4, even ? mine : mine + most / 2);
    int place = most - 1;
    if (mine == 0)
      place = 0;
    else if (mine == 1)
      place = 1;
    else
      place = 2 + mine;
    use(5, place);
  }
#pragma omp parallel
  {
    int expected = __atomic_load_n(&next_exchange, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(&next_exchange, &expected, expected + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    use(6, expected);
    number = omp_get_thread_num();
    pointer = places[7][number];
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) pointer[0] += i;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) places[8][number][0] += i;
    // Whoever comes first takes the place, and knows by the exchange's success that it has it.
    for (int k = 0; k < 3; k++) {
      int nobody = 0;
      if (__atomic_compare_exchange_n(&taken[k], &nobody, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
#pragma omp task firstprivate(k)
        places[9][k][0]++;
      }
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < n; i++) {
#pragma omp task
        places[10][omp_get_thread_num()][0]++;
      }
      places[10][omp_get_thread_num()][0]++;
    }
  }
  omp_destroy_lock(&lock);
  int sum = 0;
  for (int kind = 0; kind < 11; kind++)
    for (int i = 0; i < most; i++) sum += places[kind][i][0];
  printf("sum = %d\n", sum);
  return 0;
}
