// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Taskloops that count down, over numbers with and without a sign and over addresses.
// Fixed: each iteration has an element of its own, and the counter is reduced.
// threads: 1 2 8
#include <stdio.h>
#include <stdlib.h>

enum { n = 60 };
static int done[n], more[n];

static void check(int first, int step, int least, const int* visits) {
  for (int i = 0; i < n; i++) {
    const int expected = i <= first && i >= least && (first - i) % step == 0;
    if (visits[i] != expected) printf("%d: %d visits\n", i, visits[i]), exit(1);
  }
}
static void clear(void) {
  for (int i = 0; i < n; i++) done[i] = more[i] = 0;
}

int main(int argc, char** argv) {
  (void)argv;
  const int from = n - argc, until = 7 + argc;
  const unsigned long high = (unsigned long)from, low = (unsigned long)until;
  int count = 0, last = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(4) lastprivate(last)
    for (int i = from; i > until; i -= 3) done[i]++, last = i;
    check(n - 1, 3, 9, done);
    clear();
#pragma omp taskloop num_tasks(5) firstprivate(count)
    for (unsigned long i = high; i >= low; i -= 2) done[i] += ++count > 0;
    check(n - 1, 2, 8, done);
    clear();
#pragma omp taskloop nogroup
    for (int* p = done + from; p > done + until; p--) ++*p;
#pragma omp taskloop if (0)
    for (int* p = more + from; p >= more + until; p -= 5) ++*p;
#pragma omp taskwait
    check(n - 1, 1, 9, done);
    check(n - 1, 5, 8, more);
    clear();
#pragma omp taskloop collapse(2) reduction(+ : count)
    for (int i = from; i > 54; i--)
      for (int k = until; k > 0; k -= 2) count += k;
#pragma omp taskloop
    for (int i = until; i > from; i--) done[i] = -1;
  }
  if (last != n - 1 - 48 || count != 5 * (8 + 6 + 4 + 2)) printf("%d, %d\n", last, count), exit(1);
  return 0;
}
