// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that share something by the means that OpenMP has for that.
// expect: silent
#include <omp.h>
#include <stdio.h>

enum { n = 120 };
static int a[n], order[n], next, total, largest, counted, sums[4];
static omp_lock_t lock;

static void add(int* to, int value) { *to += value; }
#pragma omp declare reduction(plus:int : add(&omp_out, omp_in)) initializer(omp_priv = 0)

int main(void) {
  int sum = 0, plus = 0, last = -1, step = 5;
  omp_init_lock(&lock);
#pragma omp parallel
  {
#pragma omp for schedule(static) reduction(+ : sum, sums) reduction(plus : plus) lastprivate(last)
    for (int i = 0; i < n; i++) {
      sum += i;
      sums[i % 4]++;
      plus += 1;
      last = i;
    }
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
#pragma omp atomic
      total += i;
#pragma omp critical
      if (i > largest) largest = i;
    }
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      omp_set_lock(&lock);
      counted++;
      omp_unset_lock(&lock);
    }
#pragma omp for schedule(static) ordered
    for (int i = 0; i < n; i++) {
      a[i] = i;
#pragma omp ordered
      order[next++] = i;
    }
#pragma omp for schedule(static) ordered(1)
    for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
      a[i] += a[i - 1];
#pragma omp ordered depend(source)
    }
#pragma omp for schedule(static) linear(step : 1)
    for (int i = 0; i < n; i++) a[i] = step;
  }
  omp_destroy_lock(&lock);
  printf("%d %d %d %d\n", sum, plus, last, order[n - 1]);
  return sum == total && plus == n && last == n - 1 && largest == n - 1 && counted == n && sums[3] == n / 4 ? 0 : 1;
}
