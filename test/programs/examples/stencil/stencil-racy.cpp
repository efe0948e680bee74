// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A blur of a cube of values: each step averages the six neighbours of each cell into a second cube and swaps the two.
//
// Racy: nowait lets a thread start the next step, and write the cube that its neighbour still reads.
// threads: 2 8
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

constexpr int n = 18, steps = 8;

class Cube {
public:
  Cube() : cells_(n * n * n) {}
  double& operator()(int i, int j, int k) { return cells_[index(i, j, k)]; }
  double operator()(int i, int j, int k) const { return cells_[index(i, j, k)]; } // RACE(1)
  double sum() const {
    double total = 0.0;
    for (double cell : cells_) total += cell;
    return total;
  }

private:
  static std::size_t index(int i, int j, int k) { return static_cast<std::size_t>((i * n + j) * n + k); }
  std::vector<double> cells_;
};

double neighbours(const Cube& c, int i, int j, int k) {
  return c(i - 1, j, k) + c(i + 1, j, k) + c(i, j - 1, k) + c(i, j + 1, k) + c(i, j, k - 1) + c(i, j, k + 1);
}

void blur(Cube& a, Cube& b) {
#pragma omp parallel
  {
    Cube* from = &a;
    Cube* to = &b;
    for (int step = 0; step < steps; step++) {
#pragma omp for schedule(static) nowait
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          for (int k = 1; k < n - 1; k++) (*to)(i, j, k) = neighbours(*from, i, j, k) / 6.0; // RACE(1)
      std::swap(from, to);
    }
  }
}

// The same computation by one thread.
void blur_alone(Cube& from, Cube& to) {
  for (int step = 0; step < steps; step++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++) to(i, j, k) = neighbours(from, i, j, k) / 6.0;
    std::swap(from, to);
  }
}

void initialise(Cube& cube) {
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) cube(0, j, k) = j + k;
}

} // namespace

int main() {
  Cube a, b, c, d;
  initialise(a);
  initialise(b);
  initialise(c);
  initialise(d);
  blur(a, b);
  blur_alone(c, d);
  const Cube& result = steps % 2 == 0 ? a : b;
  const bool correct = std::fabs(result.sum() - c.sum()) < 1e-9;
  std::printf("blur of a cube in %d steps: %s\n", steps, correct ? "correct" : "WRONG");
  return correct ? 0 : 1;
}
