// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strassen's product of two matrices: seven tasks at each level, their operands and results in memory that the level
// allocates and frees.
#include "kernel.h"

enum { n = 512, leaf = 64 };

// A square part of a matrix whose rows are `stride` apart.
typedef struct {
  double* at;
  int stride;
} view;

static view quarter(view v, int i, int j, int half) {
  return (view){v.at + (size_t)i * half * v.stride + (size_t)j * half, v.stride};
}

// c := a + sign * b
static void add(view a, double sign, view b, view c, int size) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) c.at[i * c.stride + j] = a.at[i * a.stride + j] + sign * b.at[i * b.stride + j];
}

static void multiply_leaf(view a, view b, view c, int size) {
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < size; j++) c.at[i * c.stride + j] = 0.0;
    for (int k = 0; k < size; k++)
      for (int j = 0; j < size; j++) c.at[i * c.stride + j] += a.at[i * a.stride + k] * b.at[k * b.stride + j];
  }
}

static void multiply(view a, view b, view c, int size);

// m := (a1 + sa * a2) * (b1 + sb * b2); a factor without a sign is its first part only.
static void product(view a1, double sa, view a2, view b1, double sb, view b2, view m, int size) {
  double* memory = malloc(2 * sizeof(double) * (size_t)size * (size_t)size);
  view left = a1, right = b1;
  if (sa != 0.0) {
    left = (view){memory, size};
    add(a1, sa, a2, left, size);
  }
  if (sb != 0.0) {
    right = (view){memory + size * size, size};
    add(b1, sb, b2, right, size);
  }
  multiply(left, right, m, size);
  free(memory);
}

static void multiply(view a, view b, view c, int size) {
  if (size <= leaf) {
    multiply_leaf(a, b, c, size);
    return;
  }
  int half = size / 2;
  view a11 = quarter(a, 0, 0, half), a12 = quarter(a, 0, 1, half), a21 = quarter(a, 1, 0, half),
       a22 = quarter(a, 1, 1, half), b11 = quarter(b, 0, 0, half), b12 = quarter(b, 0, 1, half),
       b21 = quarter(b, 1, 0, half), b22 = quarter(b, 1, 1, half), m[7];
  double* memory = malloc(7 * sizeof(double) * (size_t)half * (size_t)half);
  for (int k = 0; k < 7; k++) m[k] = (view){memory + k * half * half, half};
#pragma omp task
  product(a11, 1.0, a22, b11, 1.0, b22, m[0], half);
#pragma omp task
  product(a21, 1.0, a22, b11, 0.0, b11, m[1], half);
#pragma omp task
  product(a11, 0.0, a11, b12, -1.0, b22, m[2], half);
#pragma omp task
  product(a22, 0.0, a22, b21, -1.0, b11, m[3], half);
#pragma omp task
  product(a11, 1.0, a12, b22, 0.0, b22, m[4], half);
#pragma omp task
  product(a21, -1.0, a11, b11, 1.0, b12, m[5], half);
#pragma omp task
  product(a12, -1.0, a22, b21, 1.0, b22, m[6], half);
#pragma omp taskwait
  view c11 = quarter(c, 0, 0, half), c12 = quarter(c, 0, 1, half), c21 = quarter(c, 1, 0, half),
       c22 = quarter(c, 1, 1, half);
  for (int i = 0; i < half; i++)
    for (int j = 0; j < half; j++) {
      int at = i * half + j, to = i * c.stride + j;
      c11.at[to] = m[0].at[at] + m[3].at[at] - m[4].at[at] + m[6].at[at];
      c12.at[to] = m[2].at[at] + m[4].at[at];
      c21.at[to] = m[1].at[at] + m[3].at[at];
      c22.at[to] = m[0].at[at] - m[1].at[at] + m[2].at[at] + m[5].at[at];
    }
  free(memory);
}

int main(int argc, char** argv) {
  long rounds = scaled(85, argc, argv);
  double* memory = malloc(3 * sizeof(double) * n * n);
  view a = {memory, n}, b = {memory + n * n, n}, c = {memory + 2 * n * n, n};
  for (int i = 0; i < n * n; i++) {
    a.at[i] = i % 5;
    b.at[i] = i % 7;
  }
  double sum = 0.0;
#pragma omp parallel
#pragma omp single
  for (long r = 0; r < rounds; r++) {
    multiply(a, b, c, n);
    for (int i = 0; i < n; i++) sum += c.at[i * n + (i * 3 + (int)r) % n];
  }
  free(memory);
  return checksum(sum);
}
