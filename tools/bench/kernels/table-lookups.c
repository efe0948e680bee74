// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random places of a large table that nobody writes any more, looked up in the chunks of a dynamic loop: interpolation
// in tables of physics.
#include "kernel.h"

enum { grid_points = 1 << 17, values = 6, lookups_each = 32 };

struct grid_point {
  double energy, value[values - 1];
};

int main(int argc, char** argv) {
  long particles = scaled(4000000, argc, argv);
  struct grid_point* table = malloc((grid_points + 1) * sizeof *table);
  for (long p = 0; p <= grid_points; p++) {
    table[p].energy = (double)p / grid_points;
    for (int v = 0; v < values - 1; v++) table[p].value[v] = (double)((p * 7 + v * 13) % 101);
  }
  double sum = 0.0;
#pragma omp parallel for schedule(dynamic, 100) reduction(+ : sum)
  for (long particle = 0; particle < particles; particle++) {
    unsigned long long state = (unsigned long long)particle;
    for (int l = 0; l < lookups_each; l++) {
      double energy = random_unit(&state);
      const struct grid_point *low = table + (long)(energy * grid_points), *high = low + 1;
      double part = (energy - low->energy) / (high->energy - low->energy);
      for (int v = 0; v < values - 1; v++) sum += (1.0 - part) * low->value[v] + part * high->value[v];
    }
  }
  free(table);
  return checksum(sum);
}
