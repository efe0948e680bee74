// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forces of a gas on the nodes of a mesh of hexahedra, in steps: each element gathers the places of its corners into
// small arrays that functions share, and leaves each corner a force, which its node adds up. As in codes for
// hydrodynamics on meshes without structure.
#include "kernel.h"

#include <math.h>

enum { edge = 40, corners = 8, elements = edge * edge * edge, nodes = (edge + 1) * (edge + 1) * (edge + 1) };

struct mesh {
  double *x, *y, *z;       // of nodes
  double *vx, *vy, *vz;    // velocities
  double *fx, *fy, *fz;    // forces on the corners of elements
  double *volume, *energy; // of elements
  int (*corner)[corners];  // nodes of an element
  int *first, *at;         // the corners of elements that a node is
};

// Half the cross product of a face's diagonals is its area times its normal; each of its corners gets a quarter.
static void add_face(const double x[corners], const double y[corners], const double z[corners], double nx[corners],
                     double ny[corners], double nz[corners], int a, int b, int c, int d) {
  double ux = x[c] - x[a], uy = y[c] - y[a], uz = z[c] - z[a];
  double wx = x[d] - x[b], wy = y[d] - y[b], wz = z[d] - z[b];
  double px = 0.125 * (uy * wz - uz * wy), py = 0.125 * (uz * wx - ux * wz), pz = 0.125 * (ux * wy - uy * wx);
  nx[a] += px, nx[b] += px, nx[c] += px, nx[d] += px;
  ny[a] += py, ny[b] += py, ny[c] += py, ny[d] += py;
  nz[a] += pz, nz[b] += pz, nz[c] += pz, nz[d] += pz;
}

static void normals(const double x[corners], const double y[corners], const double z[corners], double nx[corners],
                    double ny[corners], double nz[corners]) {
  for (int c = 0; c < corners; c++) nx[c] = ny[c] = nz[c] = 0.0;
  add_face(x, y, z, nx, ny, nz, 0, 3, 2, 1);
  add_face(x, y, z, nx, ny, nz, 4, 5, 6, 7);
  add_face(x, y, z, nx, ny, nz, 0, 1, 5, 4);
  add_face(x, y, z, nx, ny, nz, 1, 2, 6, 5);
  add_face(x, y, z, nx, ny, nz, 2, 3, 7, 6);
  add_face(x, y, z, nx, ny, nz, 3, 0, 4, 7);
}

static void gather(const struct mesh* m, const int corner[corners], double x[corners], double y[corners],
                   double z[corners]) {
  for (int c = 0; c < corners; c++) {
    x[c] = m->x[corner[c]];
    y[c] = m->y[corner[c]];
    z[c] = m->z[corner[c]];
  }
}

static void push_corners(struct mesh* m) {
#pragma omp parallel for
  for (int e = 0; e < elements; e++) {
    double x[corners], y[corners], z[corners], nx[corners], ny[corners], nz[corners];
    gather(m, m->corner[e], x, y, z);
    normals(x, y, z, nx, ny, nz);
    double volume = 0.0;
    for (int c = 0; c < corners; c++) volume += x[c] * nx[c] + y[c] * ny[c] + z[c] * nz[c];
    volume /= 3.0;
    double pressure = 0.4 * m->energy[e] / volume;
    m->energy[e] -= pressure * (volume - m->volume[e]);
    m->volume[e] = volume;
    for (int c = 0; c < corners; c++) {
      m->fx[e * corners + c] = pressure * nx[c];
      m->fy[e * corners + c] = pressure * ny[c];
      m->fz[e * corners + c] = pressure * nz[c];
    }
  }
}

static void move_nodes(struct mesh* m, double dt) {
#pragma omp parallel for
  for (int n = 0; n < nodes; n++) {
    double fx = 0.0, fy = 0.0, fz = 0.0;
    for (int k = m->first[n]; k < m->first[n + 1]; k++) {
      int corner = m->at[k];
      fx += m->fx[corner];
      fy += m->fy[corner];
      fz += m->fz[corner];
    }
    m->vx[n] += dt * fx;
    m->vy[n] += dt * fy;
    m->vz[n] += dt * fz;
    m->x[n] += dt * m->vx[n];
    m->y[n] += dt * m->vy[n];
    m->z[n] += dt * m->vz[n];
  }
}

static double* reals(long count) { return calloc((size_t)count, sizeof(double)); }

int main(int argc, char** argv) {
  long steps = scaled(900, argc, argv);
  struct mesh m = {reals(nodes),
                   reals(nodes),
                   reals(nodes),
                   reals(nodes),
                   reals(nodes),
                   reals(nodes),
                   reals((long)elements * corners),
                   reals((long)elements * corners),
                   reals((long)elements * corners),
                   reals(elements),
                   reals(elements),
                   malloc(sizeof(int[corners]) * elements),
                   calloc(nodes + 2, sizeof(int)),
                   malloc(sizeof(int) * elements * corners)};
  for (int k = 0, n = 0; k <= edge; k++)
    for (int j = 0; j <= edge; j++)
      for (int i = 0; i <= edge; i++, n++) m.x[n] = i, m.y[n] = j, m.z[n] = k;
  for (int k = 0, e = 0; k < edge; k++)
    for (int j = 0; j < edge; j++)
      for (int i = 0; i < edge; i++, e++) {
        int low = (k * (edge + 1) + j) * (edge + 1) + i, high = low + (edge + 1) * (edge + 1);
        int all[corners] = {low,  low + 1,  low + edge + 2,  low + edge + 1,
                            high, high + 1, high + edge + 2, high + edge + 1};
        for (int c = 0; c < corners; c++) m.corner[e][c] = all[c], m.first[all[c] + 2]++;
        m.volume[e] = 1.0;
        m.energy[e] = e == 0 ? 100.0 : 1.0;
      }
  for (int n = 0; n < nodes; n++) m.first[n + 2] += m.first[n + 1];
  for (int e = 0; e < elements; e++)
    for (int c = 0; c < corners; c++) m.at[m.first[m.corner[e][c] + 1]++] = e * corners + c;
  for (long s = 0; s < steps; s++) {
    push_corners(&m);
    move_nodes(&m, 1e-4);
  }
  double sum = 0.0;
  for (int n = 0; n < nodes; n += 7) sum += m.x[n] + 2.0 * m.y[n] + 3.0 * m.z[n];
  return checksum(sum);
}
