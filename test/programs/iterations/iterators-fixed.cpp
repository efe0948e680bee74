// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops by iterators, and over the elements of a container: each iteration has its own elements; a thread's own
// variable is changed by a function that gets its address, and chooses the place.
#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
  explicit Shape(double side) : side(side) {}
  virtual ~Shape() = default;
  virtual double area() {
    asked++;
    return side * side;
  }
  double side;
  int asked = 0;
};

static int next(int& place) { return place++; }

int main() {
  std::vector<double> values(64, 1.0), results(64);
#pragma omp parallel for
  for (auto it = values.begin(); it < values.end() - 1; ++it) results[it - values.begin()] = *(it + 1);
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 64; i++) shapes.push_back(std::make_unique<Shape>(i));
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (auto& shape : shapes) sum += shape->area();
  std::vector<int> found(64 * 64);
  int used = 0;
#pragma omp parallel
  {
    int place = 0, start = 0;
#pragma omp critical
    {
      start = used;
      used += 64;
    }
#pragma omp for nowait
    for (int i = 0; i < 64; i++) found[start + next(place)] = i;
  }
  std::printf("%d\n", sum > 0 && results[0] > 0 && found[0] >= 0);
}
