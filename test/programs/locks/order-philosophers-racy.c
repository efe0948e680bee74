// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five tasks sit around a table and need the two forks beside them.
// Racy: each takes the one at its left hand first.
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "one-at-a-time.h"

enum { philosophers = 5 };
static omp_lock_t fork_[philosophers];
static int value;

static void eat(int seat) {
  int left = seat, right = (seat + 1) % philosophers;
  begin_alone();
  omp_set_lock(&fork_[left]);
  omp_set_lock(&fork_[right]); // FINDING(lock-order-cycle)
#pragma omp atomic
  ++value;
  omp_unset_lock(&fork_[right]);
  omp_unset_lock(&fork_[left]);
  end_alone();
}

int main(void) {
  for (int i = 0; i < philosophers; ++i) omp_init_lock(&fork_[i]);
#pragma omp parallel
#pragma omp single
  for (int seat = 0; seat < philosophers; ++seat) {
#pragma omp task firstprivate(seat)
    eat(seat);
  }
  for (int i = 0; i < philosophers; ++i) omp_destroy_lock(&fork_[i]);
  printf("value = %d\n", value);
  return value == philosophers ? 0 : 1;
}
