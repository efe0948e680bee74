// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a dynamic loop the compiler passes iterations, tasks, teams and structures on in variables that it reuses: no
// thread keeps anything there from one chunk to the next.
// Fixed: what all iterations write is written atomically.
#include <stdio.h>

enum { n = 24 };
struct pair {
  double a, b;
};
static double field[n + 1][n + 1], sums[n];

static struct pair half(int i) { return (struct pair){i / 2.0, i}; }

int main(void) {
  int last[5] = {0};
  double a = 1, b = 2;
#pragma omp parallel for ordered(2) schedule(dynamic, 1)
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      field[i][j] = field[i - 1][j] + field[i][j - 1] + 1;
#pragma omp ordered depend(source)
#pragma omp atomic write
      last[0] = i;
    }
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < n; i++) {
#pragma omp task shared(a, b)
    sums[i] = a + b + i;
#pragma omp atomic write
    last[1] = i;
  }
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < n; i++) {
    double sum = 0, product = 1;
#pragma omp parallel num_threads(2) reduction(+ : sum) reduction(* : product)
    {
      sum += a;
      product *= b;
    }
    sums[i] = sum + product;
#pragma omp atomic write
    last[2] = i;
  }
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < n; i++) {
    const struct pair both = half(i);
    sums[i] = both.a + both.b;
#pragma omp atomic write
    last[3] = i;
  }
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < n; i++) {
#pragma omp task depend(out : sums[i])
    sums[i] = i;
#pragma omp atomic write
    last[4] = i;
  }
  printf("%g %g %d\n", field[n][n], sums[n - 1], last[0] + last[1] + last[2] + last[3] + last[4] >= 0);
}
