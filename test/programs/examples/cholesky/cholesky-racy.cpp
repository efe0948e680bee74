// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factorisation of a symmetric positive definite matrix in tiles, one task per tile operation. Dependences
// on the tiles' first elements order the operations.
//
// Racy: the update of a diagonal tile (square_subtract) declares the tile that it changes as `in`. The updates by two
// columns are then not ordered, and one can lose what the other subtracted.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t tiles = 6, size = 16, n = tiles * size;

class TiledMatrix {
public:
  TiledMatrix() : tiles_(tiles * tiles, std::vector<double>(size * size)) {}

  double* tile(std::size_t i, std::size_t j) { return tiles_[i * tiles + j].data(); }
  double& at(std::size_t i, std::size_t j) { return tile(i / size, j / size)[(i % size) * size + j % size]; }

private:
  std::vector<std::vector<double>> tiles_;
};

void factorise(double* a) {
  for (std::size_t j = 0; j < size; j++) {
    for (std::size_t k = 0; k < j; k++)
      for (std::size_t i = j; i < size; i++) a[i * size + j] -= a[i * size + k] * a[j * size + k];
    const double pivot = std::sqrt(a[j * size + j]);
    for (std::size_t i = j; i < size; i++) a[i * size + j] /= pivot;
  }
}

// b := b * inverse(transpose(l)), l a factorised diagonal tile.
void solve(const double* l, double* b) {
  for (std::size_t i = 0; i < size; i++)
    for (std::size_t j = 0; j < size; j++) {
      double sum = b[i * size + j];
      for (std::size_t k = 0; k < j; k++) sum -= b[i * size + k] * l[j * size + k];
      b[i * size + j] = sum / l[j * size + j];
    }
}

double dot(const double* a, const double* b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < size; k++) sum += a[k] * b[k];
  return sum;
}

// c := c - a * transpose(b)
void multiply_subtract(const double* a, const double* b, double* c) {
  for (std::size_t i = 0; i < size; i++)
    for (std::size_t j = 0; j < size; j++) c[i * size + j] -= dot(a + i * size, b + j * size);
}

// c := c - a * transpose(a), the lower half only.
void square_subtract(const double* a, double* c) {
  for (std::size_t i = 0; i < size; i++)
    for (std::size_t j = 0; j <= i; j++) c[i * size + j] -= dot(a + i * size, a + j * size); // RACE(1,1)
}

void cholesky(TiledMatrix& matrix) {
  for (std::size_t k = 0; k < tiles; k++) {
    double* pivot = matrix.tile(k, k);
#pragma omp task firstprivate(pivot) depend(inout : pivot[0])
    factorise(pivot);

    for (std::size_t i = k + 1; i < tiles; i++) {
      double* below = matrix.tile(i, k);
#pragma omp task firstprivate(pivot, below) depend(in : pivot[0]) depend(inout : below[0])
      solve(pivot, below);
    }

    for (std::size_t i = k + 1; i < tiles; i++) {
      double* left = matrix.tile(i, k);
      for (std::size_t j = k + 1; j < i; j++) {
        double* other = matrix.tile(j, k);
        double* target = matrix.tile(i, j);
#pragma omp task firstprivate(left, other, target) depend(in : left[0], other[0]) depend(inout : target[0])
        multiply_subtract(left, other, target);
      }
      double* diagonal = matrix.tile(i, i);
#pragma omp task firstprivate(left, diagonal) depend(in : left[0]) depend(in : diagonal[0])
      square_subtract(left, diagonal);
    }
  }
}

double original(std::size_t i, std::size_t j) { return i == j ? double(n) : 1.0 / double(1 + i - j); }

// Largest difference between the original and the product of the factor with its transpose.
double largest_error(TiledMatrix& factor) {
  double largest = 0.0;
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j <= i; j++) {
      double sum = 0.0;
      for (std::size_t k = 0; k <= j; k++) sum += factor.at(i, k) * factor.at(j, k);
      largest = std::fmax(largest, std::fabs(sum - original(i, j)));
    }
  return largest;
}

} // namespace

int main() {
  TiledMatrix matrix;
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j <= i; j++) matrix.at(i, j) = original(i, j);

#pragma omp parallel
#pragma omp single
  cholesky(matrix);

  const bool correct = largest_error(matrix) < 1e-9;
  std::printf("cholesky of a %zu x %zu matrix: %s\n", n, n, correct ? "correct" : "WRONG");
  return correct ? 0 : 1;
}
