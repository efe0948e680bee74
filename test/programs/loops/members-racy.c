// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks work on different members of the structures in one array.
// Racy: one writes a member that the other one reads.
#include <stdio.h>

enum { n = 100 };
struct point {
  double x, y, z, mass;
};
static struct point points[n];

static void move(struct point* p, int count) {
  for (int i = 0; i < count; i++) p[i].x += p[i].y; // RACE(1)
}

static void weigh(struct point* p, int count) {
  for (int i = 0; i < count; i++) p[i].y = p[i].mass + 1; // RACE(1)
}

int main(void) {
  for (int i = 0; i < n; i++) points[i].y = points[i].mass = i;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    move(points, n);
#pragma omp task
    weigh(points, n);
  }
  printf("x = %g\n", points[3].x);
  return points[3].x == 3 ? 0 : 1;
}
