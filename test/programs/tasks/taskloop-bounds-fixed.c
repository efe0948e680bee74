// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Taskloops from below zero, with steps, in both directions and in tasks of many sizes, and such without iterations,
// inside of a region and outside of all.
// Fixed: each iteration has an element of its own.
// threads: 1 2 8
// compilers: gcc
#include <stdio.h>
#include <stdlib.h>

enum { n = 120, size = 3 * n };
static int done[size];

static void check(int from, int until, int step) {
  for (int i = 0; i < size; i++) {
    const int at = i - n, on = (at - from) % step == 0;
    const int expected = on && (step > 0 ? at >= from && at < until : at <= from && at > until);
    if (done[i] != expected) printf("%d to %d by %d: %d visits of %d\n", from, until, step, done[i], at), exit(1);
    done[i] = 0;
  }
}

static void each(int from, int until, int step, int grain) {
#pragma omp taskloop grainsize(grain)
  for (int i = from; i < until; i += step) done[i + n]++;
  check(from, until, step);
#pragma omp taskloop num_tasks(grain)
  for (long i = until; i > from; i -= step) done[i + n]++;
  check(until, from, -step);
}

static void all(void) {
  for (int from = -n; from <= n; from += n)
    for (int until = 0; until <= n; until += n)
      for (int step = 1; step < 8; step += 3)
        for (int grain = 1; grain < 60; grain += 29) each(from, until, step, grain);
}

int main(void) {
  all();
#pragma omp parallel
#pragma omp single
  all();
  return 0;
}
