// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nearest of many points, found with a reduction over a struct.
// Racy: the struct is shared instead.
// threads: 2 8
#include <stdio.h>

struct nearest {
  int distance, index;
};

static struct nearest nearer(struct nearest a, struct nearest b) { return b.distance < a.distance ? b : a; }

enum { n = 500 };
static int distance[n];

int main(void) {
  struct nearest best = {1000000, -1};
  int checks = 0;
  for (int i = 0; i < n; i++) distance[i] = (i * 389 + 77) % 503 + 1;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    struct nearest mine = {distance[i], i};
    best = nearer(best, mine); // RACE(1,1)
    checks++;                  // RACE(2,2)
  }
  printf("distance = %d\n", best.distance);
  return best.distance == 1 && checks == n ? 0 : 1;
}
