// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over addresses and numbers without a sign that count down, and of which the runtime hands out chunks.
// Fixed: each iteration has an element of its own.
// environment: OMP_SCHEDULE=dynamic,3
#include <stdio.h>
#include <stdlib.h>

enum { n = 60 };
static int done[n], order[n], next;

static void check(int first, int step, int least) {
  for (int i = 0; i < n; i++) {
    const int expected = i <= first && i >= least && (first - i) % step == 0;
    if (done[i] != expected) printf("%d: %d visits\n", i, done[i]), exit(1);
    done[i] = 0;
  }
}

int main(int argc, char** argv) {
  (void)argv;
  const unsigned long high = (unsigned long)(n - argc), low = (unsigned long)(7 + argc);
#pragma omp parallel for schedule(dynamic)
  for (unsigned long i = high; i > low; i -= 3) done[i]++;
  check(n - 1, 3, 9);
#pragma omp parallel for schedule(guided, 2)
  for (int* p = done + high; p >= done + low; p--) ++*p;
  check(n - 1, 1, 8);
#pragma omp parallel for schedule(runtime)
  for (int* p = done + high; p > done + low; p -= 2) ++*p;
  check(n - 1, 2, 9);
#pragma omp parallel for schedule(monotonic : dynamic, 4) collapse(2)
  for (unsigned long i = high; i > low + 1; i -= 10)
    for (unsigned long k = 4; k > 0; k--) done[i - k]++;
  for (unsigned long i = high; i > low + 1; i -= 10)
    for (unsigned long k = 4; k > 0; k--) done[i - k]--;
  check(0, 1, 1);
#pragma omp parallel for schedule(static, 2) ordered
  for (int* p = done + high; p > done + low; p -= 2) {
#pragma omp ordered
    order[next++] = (int)(p - done);
    ++*p;
  }
  check(n - 1, 2, 9);
  for (int i = 0; i < next; i++)
    if (order[i] != n - 1 - 2 * i) return 1;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 5) nowait
    for (unsigned long i = high; i > low; i -= 2) {
      // An inner region of one thread has loops of its own meanwhile.
      int inner[4] = {0};
#pragma omp parallel for schedule(dynamic) num_threads(1)
      for (int* p = inner + 3; p >= inner + low - low; p--) ++*p;
#pragma omp parallel for schedule(dynamic) num_threads(1)
      for (unsigned long k = low - low; k < 4; k++) inner[k]++;
      done[i] += inner[0] == 2 && inner[3] == 2;
    }
#pragma omp for schedule(dynamic, 5)
    for (unsigned long i = low; i < high; i++) order[i] = 0;
#pragma omp for schedule(dynamic)
    for (unsigned long i = low; i > high; i--) order[i] = -1;
  }
  check(n - 1, 2, 9);
  return next == 26 ? 0 : 1;
}
