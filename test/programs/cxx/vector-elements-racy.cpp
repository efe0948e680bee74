// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks write to elements of a vector.
// Racy: to the same element.
#include <cstdio>
#include <vector>

int main() {
  std::vector<int> values(4);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(values)
    values[0] += 1; // RACE(1)
#pragma omp task shared(values)
    values[0] += 2; // RACE(1)
  }
  std::printf("sum = %d\n", values[0] + values[1]);
  return values[0] + values[1] == 3 ? 0 : 1;
}
