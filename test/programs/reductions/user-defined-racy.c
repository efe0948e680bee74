// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nearest of many points, found with a reduction over a struct.
// Racy: the struct is shared instead.
// threads: 2 8
#include <stdio.h>

struct nearest {
  int distance, index;
};

__attribute__((noinline)) static void keep_nearer(struct nearest* best, const struct nearest* other) {
  if (other->distance < best->distance) { // RACE(1*)
    best->distance = other->distance;     // RACE(1*)
    best->index = other->index;           // RACE(1*)
  }
}

enum { n = 500 };
static int distance[n];

int main(void) {
  struct nearest best = {1000000, -1};
  for (int i = 0; i < n; i++) distance[i] = (i * 389 + 77) % 503 + 1;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    struct nearest mine = {distance[i], i};
    keep_nearer(&best, &mine);
  }
  printf("distance = %d\n", best.distance);
  return best.distance == 1 ? 0 : 1;
}
