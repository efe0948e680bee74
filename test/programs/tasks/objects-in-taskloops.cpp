// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of C++ in taskloops: copied, shared, changed copies, and tasks inside that copy the copies.
// expect: silent
// levels: native graph
#include <cstdio>
#include <string>
#include <vector>

static long total;
struct Matrix {
  int n;
  std::vector<double> a;
  explicit Matrix(int n) : n(n), a(n * n, 1) {}
  double* row(int i) { return &a[i * n]; }
};

static void scale(Matrix m, double f) {
#pragma omp taskloop grainsize(2) shared(m)
  for (int i = 0; i < m.n; i++)
    for (int j = 0; j < m.n; j++) m.row(i)[j] *= f;
#pragma omp taskloop num_tasks(3) reduction(+ : f)
  for (int i = 0; i < m.n; i++) f += m.row(i)[0];
#pragma omp atomic
  total += (long)f;
}

static void names(const std::vector<std::string>& all) {
  std::string prefix = "a prefix that is long enough to be on the heap";
#pragma omp taskloop grainsize(1) firstprivate(prefix)
  for (std::size_t i = 0; i < all.size(); i++) {
    prefix += all[i];
#pragma omp atomic
    total += prefix.size();
  }
#pragma omp taskloop nogroup grainsize(1) firstprivate(prefix)
  for (std::size_t i = 0; i < all.size(); i++) {
#pragma omp task firstprivate(prefix)
    {
#pragma omp atomic
      total += prefix.size();
    }
  }
}

int main() {
  std::vector<std::string> all{"one", "two", "three", "four"};
#pragma omp parallel
  {
#pragma omp single nowait
    for (int i = 0; i < 6; i++) {
#pragma omp task
      scale(Matrix(6), i);
    }
    names(all);
#pragma omp barrier
#pragma omp for
    for (int k = 0; k < 4; k++) {
      names(all);
#pragma omp taskwait
    }
  }
  std::printf("%ld\n", total);
}
