// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks share the ownership of a vector; the last one destroys it.
// Fixed: they only read it; the counts order the destruction after all reads.
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

static int sums[8];

int main() {
#pragma omp parallel
#pragma omp single
  {
    auto block = std::make_shared<std::vector<int>>(4, 1);
    // All copies are made ahead of the tasks: to copy is an acquire of what owners that are gone have released.
    std::vector<std::shared_ptr<std::vector<int>>> owners(8, block);
    for (int t = 0; t < 8; t++) {
#pragma omp task firstprivate(t) shared(owners)
      {
        const auto mine = std::move(owners[t]);
        int* values = mine->data();
        sums[t] = t + values[1];
      }
    }
    block.reset();
#pragma omp taskwait
  }
  std::printf("sums = %d %d\n", sums[0], sums[7]);
  return sums[0] == 1 && sums[7] == 8 ? 0 : 1;
}
