// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with a table of its own for what is written: while the loop reads the records nobody changes them.
// threads: 2 8
#include <stdio.h>
#include <stdlib.h>

enum { records = 64, lookups = 256 };

struct record {
  double mass, charge, x, y, z, energy;
};

static double look_up(const struct record* table, int from) {
  double sum = 0.0;
  for (int l = 0; l < lookups; l++) {
    const struct record* other = &table[(from * 31 + l * 17) % records];
    double place = other->x + other->y + other->z;
    sum += other->mass * other->charge + place;
    sum += other->energy;
  }
  return sum;
}

int main(void) {
  struct record* table = malloc(records * sizeof *table);
  for (int r = 0; r < records; r++) table[r] = (struct record){r, 1, r % 3, r % 5, r % 7, 0.5};
  double* energies = malloc(records * sizeof *energies);
  double total = 0.0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : total)
  for (int r = 0; r < records; r++) {
    double sum = look_up(table, r);
    energies[r] = sum;
    total += sum;
  }
  for (int r = 0; r < records; r++) table[r].energy = energies[r];
  printf("%s\n", total > 0.0 ? "summed" : "nothing");
  free(energies);
  free(table);
  return 0;
}
