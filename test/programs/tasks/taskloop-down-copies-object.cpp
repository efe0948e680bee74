// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop that counts down, of which each task has a copy of an object and of an aligned array, made by the
// compiler.
// expect: silent
#include <cstdio>
#include <vector>

struct Row {
  std::vector<int> elements = std::vector<int>(100, 1);
  int copies = 0;
  Row() = default;
  Row(const Row& other) : elements(other.elements), copies(other.copies + 1) {}
};
static int done[100];

int main(int argc, char**) {
  const Row row;
  alignas(64) int line[16] = {3};
  const int from = 100 - argc;
  int bad = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop firstprivate(row, line) grainsize(7) reduction(+ : bad)
  for (int i = from; i >= argc; i -= 2) {
    done[i] += row.elements[i];
    bad += row.copies == 0 || line[0] != 3;
  }
  for (int i = 0; i < 100; i++) bad += done[i] != i % 2;
  std::printf("%d\n", bad);
  return bad == 0 ? 0 : 1;
}
