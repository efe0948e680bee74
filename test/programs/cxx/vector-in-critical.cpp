// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks append to a vector in a critical section; it grows, so that blocks are freed and allocated again.
// Silent: everything that touches the vector is in the section.
// expect: silent
#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  std::vector<int> values;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 200; t++) {
#pragma omp task firstprivate(t) shared(values)
    {
#pragma omp critical
      values.push_back(t);
    }
  }
  int sum = std::accumulate(values.begin(), values.end(), 0);
  std::printf("sum = %d\n", sum);
  return sum == 19900 ? 0 : 1;
}
