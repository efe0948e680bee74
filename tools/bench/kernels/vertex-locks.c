// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relaxation along the edges of a random graph: each locks its two vertices, in the order of their numbers.
#include "kernel.h"

#include <omp.h>

enum { vertices = 20000 };

static omp_lock_t lock[vertices];
static long potential[vertices];

int main(int argc, char** argv) {
  long edges = scaled(6000000, argc, argv);
  for (int v = 0; v < vertices; v++) {
    omp_init_lock(&lock[v]);
    potential[v] = v;
  }
#pragma omp parallel for schedule(static)
  for (long e = 0; e < edges; e++) {
    unsigned long long state = (unsigned long long)e;
    int a = (int)(random_bits(&state) % vertices), b = (int)(random_bits(&state) % (vertices - 1));
    int low = a <= b ? a : b, high = a <= b ? b + 1 : a;
    omp_set_lock(&lock[low]);
    omp_set_lock(&lock[high]);
    potential[low] += 1;
    potential[high] -= 1;
    omp_unset_lock(&lock[high]);
    omp_unset_lock(&lock[low]);
  }
  double sum = 0.0;
  for (int v = 0; v < vertices; v++) {
    sum += (double)potential[v] * (v % 13);
    omp_destroy_lock(&lock[v]);
  }
  return checksum(sum);
}
