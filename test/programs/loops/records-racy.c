// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chunks of a dynamic loop read records of a table at scattered places, several fields of each, and write one field of
// the record that is their own: another chunk may read it. The other fields stay as they are.
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
    sum += other->energy; // RACE(1)
  }
  return sum;
}

int main(void) {
  struct record* table = malloc(records * sizeof *table);
  for (int r = 0; r < records; r++) table[r] = (struct record){r, 1, r % 3, r % 5, r % 7, 0.5};
  double total = 0.0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : total)
  for (int r = 0; r < records; r++) {
    double sum = look_up(table, r);
    table[r].energy = sum; // RACE(1)
    total += sum;
  }
  printf("%s\n", total > 0.0 ? "summed" : "nothing");
  free(table);
  return 0;
}
