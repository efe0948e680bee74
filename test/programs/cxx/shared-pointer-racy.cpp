// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks share the ownership of a vector; the last one destroys it.
// Racy: they also write to it.
#include <cstdio>
#include <memory>
#include <vector>

static int sums[8];

int main() {
#pragma omp parallel
#pragma omp single
  {
    auto block = std::make_shared<std::vector<int>>(4, 1);
    for (int t = 0; t < 8; t++) {
#pragma omp task firstprivate(block, t)
      {
        int* values = block->data();
        values[0] += t; // RACE(1,1)
        sums[t] = t + values[1];
      }
    }
    block.reset();
  }
  std::printf("sums = %d %d\n", sums[0], sums[7]);
  return sums[0] == 1 && sums[7] == 8 ? 0 : 1;
}
