// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gravity between all pairs of bodies: everybody reads all positions; then everybody moves.
#include "kernel.h"

#include <math.h>

enum { n = 2000 };
typedef struct {
  double x, y, z, mass;
} body;

static body bodies[n];
static double velocity[n][3];

int main(int argc, char** argv) {
  long steps = scaled(110, argc, argv);
  unsigned long long state = 3;
  for (int i = 0; i < n; i++)
    bodies[i] = (body){random_unit(&state), random_unit(&state), random_unit(&state), 1.0 + random_unit(&state)};
#pragma omp parallel
  for (long s = 0; s < steps; s++) {
#pragma omp for schedule(guided)
    for (int i = 0; i < n; i++) {
      double fx = 0.0, fy = 0.0, fz = 0.0;
      for (int j = 0; j < n; j++) {
        double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
        double distance = dx * dx + dy * dy + dz * dz + 1e-3;
        double force = bodies[j].mass / (distance * sqrt(distance));
        fx += force * dx;
        fy += force * dy;
        fz += force * dz;
      }
      velocity[i][0] += 1e-6 * fx;
      velocity[i][1] += 1e-6 * fy;
      velocity[i][2] += 1e-6 * fz;
    }
#pragma omp for
    for (int i = 0; i < n; i++) {
      bodies[i].x += velocity[i][0];
      bodies[i].y += velocity[i][1];
      bodies[i].z += velocity[i][2];
    }
  }
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += bodies[i].x + 2 * bodies[i].y + 3 * bodies[i].z;
  return checksum(sum);
}
