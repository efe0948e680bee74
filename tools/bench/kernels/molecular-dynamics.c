// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lennard-Jones atoms in a periodic box: cells, neighbour lists of them every ten steps, forces from the lists, and
// velocity Verlet steps.
#include "kernel.h"

#include <math.h>

enum { cells_per_side = 12, cells = cells_per_side * cells_per_side * cells_per_side };
enum { atoms = 8 * cells, cell_capacity = 32, list_capacity = 160, rebuild_interval = 10 };
static const double cutoff = 2.5, skin = 0.3, cell_size = 2.8;

static double position[atoms][3], velocity[atoms][3], force[atoms][3];
static int cell_count[cells], cell_atoms[cells][cell_capacity];
static int neighbour_count[atoms], neighbours[atoms][list_capacity];

static double box(void) { return cells_per_side * cell_size; }
static double nearest_image(double d) { return d - box() * nearbyint(d / box()); }
static int wrapped(int i) { return (i + cells_per_side) % cells_per_side; }
static int cell_index(int i, int j, int k) {
  return (wrapped(i) * cells_per_side + wrapped(j)) * cells_per_side + wrapped(k);
}

// Sorts all atoms into cells. Threads that meet in one cell are given places by an atomic counter.
static void fill_cells(void) {
#pragma omp for
  for (int c = 0; c < cells; c++) cell_count[c] = 0;
#pragma omp for
  for (int a = 0; a < atoms; a++) {
    for (int d = 0; d < 3; d++) position[a][d] -= box() * floor(position[a][d] / box());
    int c = cell_index((int)(position[a][0] / cell_size), (int)(position[a][1] / cell_size),
                       (int)(position[a][2] / cell_size));
    int place;
#pragma omp atomic capture
    place = cell_count[c]++;
    if (place >= cell_capacity) abort();
    cell_atoms[c][place] = a;
  }
}

static void find_neighbours(int a) {
  const double reach = (cutoff + skin) * (cutoff + skin);
  int i = (int)(position[a][0] / cell_size), j = (int)(position[a][1] / cell_size),
      k = (int)(position[a][2] / cell_size), count = 0;
  for (int di = -1; di <= 1; di++)
    for (int dj = -1; dj <= 1; dj++)
      for (int dk = -1; dk <= 1; dk++) {
        int c = cell_index(i + di, j + dj, k + dk);
        for (int m = 0; m < cell_count[c]; m++) {
          int b = cell_atoms[c][m];
          double squared = 0.0;
          for (int d = 0; d < 3; d++) {
            double difference = nearest_image(position[a][d] - position[b][d]);
            squared += difference * difference;
          }
          if (b != a && squared < reach && count < list_capacity) neighbours[a][count++] = b;
        }
      }
  neighbour_count[a] = count;
}

static void find_force(int a) {
  double sum[3] = {0.0, 0.0, 0.0};
  for (int m = 0; m < neighbour_count[a]; m++) {
    int b = neighbours[a][m];
    double difference[3], squared = 0.0;
    for (int d = 0; d < 3; d++) {
      difference[d] = nearest_image(position[a][d] - position[b][d]);
      squared += difference[d] * difference[d];
    }
    if (squared > cutoff * cutoff) continue;
    double inverse = 1.0 / squared, sixth = inverse * inverse * inverse;
    double strength = 48.0 * sixth * (sixth - 0.5) * inverse;
    for (int d = 0; d < 3; d++) sum[d] += strength * difference[d];
  }
  for (int d = 0; d < 3; d++) force[a][d] = sum[d];
}

int main(int argc, char** argv) {
  long steps = scaled(200, argc, argv);
  const double half_step = 0.001;
  unsigned long long state = 5;
  for (int a = 0; a < atoms; a++) { // two atoms to a side of each cell
    int side = 2 * cells_per_side, index[3] = {a / side / side, a / side % side, a % side};
    for (int d = 0; d < 3; d++) {
      position[a][d] = (index[d] + 0.45 + 0.1 * random_unit(&state)) * cell_size / 2;
      velocity[a][d] = random_unit(&state) - 0.5;
    }
  }
  double energy = 0.0;
#pragma omp parallel
  {
    for (long s = 0; s < steps; s++) {
#pragma omp for
      for (int a = 0; a < atoms; a++)
        for (int d = 0; d < 3; d++) {
          velocity[a][d] += half_step * force[a][d];
          position[a][d] += 2 * half_step * velocity[a][d];
        }
      if (s % rebuild_interval == 0) {
        fill_cells();
#pragma omp for schedule(dynamic, 64)
        for (int a = 0; a < atoms; a++) find_neighbours(a);
      }
#pragma omp for schedule(dynamic, 64)
      for (int a = 0; a < atoms; a++) find_force(a);
#pragma omp for
      for (int a = 0; a < atoms; a++)
        for (int d = 0; d < 3; d++) velocity[a][d] += half_step * force[a][d];
    }
#pragma omp for reduction(+ : energy)
    for (int a = 0; a < atoms; a++)
      for (int d = 0; d < 3; d++) energy += 0.5 * velocity[a][d] * velocity[a][d];
  }
  return checksum(energy);
}
