// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements are added up in the rows of a matrix, by a function of its class.
// Fixed: each update is atomic.
// threads: 2 8
#include <cstdio>
#include <vector>

namespace {

constexpr int elements = 200;

class Matrix {
public:
  explicit Matrix(int rows) : diagonal_(rows, 0.0), right_(rows, 0.0) {}
  void add(int row, double weight) {
#pragma omp atomic
    diagonal_[row] += weight;
#pragma omp atomic
    right_[row] += weight;
  }
  double trace() const {
    double sum = 0;
    for (const double one : diagonal_) sum += one;
    return sum;
  }

private:
  std::vector<double> diagonal_, right_;
};

} // namespace

int main() {
  Matrix matrix(elements + 1);
#pragma omp parallel for
  for (int e = 0; e < elements; ++e) {
    matrix.add(e, 1);
    matrix.add(e + 1, 1);
  }
  std::printf("%d\n", matrix.trace() == 2 * elements);
}
