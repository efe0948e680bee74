// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several tasks encounter a taskloop whose tasks have copies of a vector. The runtime copies them from a pattern, which
// it destroys; the next construct's pattern has the same memory.
// expect: silent
#include <cstdio>
#include <vector>
static long total;

static void sum(const std::vector<int>& values) {
#pragma omp taskloop nogroup grainsize(1) firstprivate(values)
  for (int i = 0; i < 2; i++) {
#pragma omp atomic
    total += values[i];
  }
}

int main() {
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < 20; k++) {
#pragma omp task
    {
      std::vector<int> values{k, 2 * k};
      sum(values);
    }
  }
  std::printf("%ld\n", total);
  return total == 570 ? 0 : 1;
}
