// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat conduction in a plate: each step averages the neighbours of each cell into a second grid and copies it back.
//
// Racy: nowait lets a thread copy its rows back while its neighbour still reads the row at their border.
// threads: 2 8
#include <math.h>
#include <stdio.h>

enum { n = 66, steps = 20 };

static double now[n][n], next[n][n];

static void initialise(void) {
  for (int j = 0; j < n; j++) now[0][j] = 100.0;
}

static void simulate(void) {
#pragma omp parallel
  for (int step = 0; step < steps; step++) {
#pragma omp for schedule(static) nowait
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]); // RACE(1)

#pragma omp for schedule(static)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) now[i][j] = next[i][j]; // RACE(1)
  }
}

// The same computation by one thread.
static double reference_sum(void) {
  static double a[n][n], b[n][n];
  for (int j = 0; j < n; j++) a[0][j] = 100.0;
  for (int step = 0; step < steps; step++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) a[i][j] = b[i][j];
  }
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += a[i][j];
  return sum;
}

int main(void) {
  initialise();
  simulate();
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += now[i][j];
  int correct = fabs(sum - reference_sum()) < 1e-9;
  printf("heat after %d steps: %s\n", steps, correct ? "correct" : "WRONG");
  return correct ? 0 : 1;
}
