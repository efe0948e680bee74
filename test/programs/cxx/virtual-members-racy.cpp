// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks call virtual functions of objects, each object twice; one counts its calls.
// Racy: nothing keeps two calls of one object apart.
#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() = 0;
  int uses = 0;
};
struct Sq : Shape {
  int a;
  explicit Sq(int x) : a(x) {}
  int area() override {
    uses++; // RACE(1,1)
    return a * a;
  }
};
struct Re : Shape {
  int a, b;
  Re(int x, int y) : a(x), b(y) {}
  int area() override { return a * b; }
};

int main() {
  std::vector<std::unique_ptr<Shape>> v;
  for (int i = 0; i < 4; i++) v.push_back(std::make_unique<Sq>(i));
  v.push_back(std::make_unique<Re>(2, 3));
  int total = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    for (int rep = 0; rep < 2; rep++) {
      for (auto& s : v) {
        Shape* p = s.get();
#pragma omp task firstprivate(p) shared(total)
        {
          int a = p->area();
#pragma omp atomic
          total += a;
        }
      }
    }
  }
  std::printf("%d\n", total > 0);
}
