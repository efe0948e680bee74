// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops by iterators, and over the elements of a container.
// Racy: each iteration reads its neighbour's element, or counts in a variable that all share.
// compilers: clang
// builds: driver
#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
  explicit Shape(double side) : side(side) {}
  virtual ~Shape() = default;
  virtual double area() {
    asked++; // RACE(2,2)
    return side * side;
  }
  double side;
  static inline int asked = 0;
};

int main() {
  std::vector<double> values(64, 1.0);
#pragma omp parallel for
  for (auto it = values.begin(); it < values.end() - 1; ++it) *it = *(it + 1); // RACE(1,1)
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 64; i++) shapes.push_back(std::make_unique<Shape>(i));
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (auto& shape : shapes) sum += shape->area();
  std::printf("%d\n", sum > 0 && values[0] > 0);
}
