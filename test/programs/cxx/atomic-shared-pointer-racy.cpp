// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads count in a shared table.
// Racy: the pointer to the table is atomic, its elements are not.
// flags: -std=c++20
// threads: 2 8
#include <atomic>
#include <cstdio>
#include <memory>
#include <vector>

int main() {
  std::atomic<std::shared_ptr<std::vector<int>>> table{std::make_shared<std::vector<int>>(10, 1)};
#pragma omp parallel
  {
    const auto now = table.load();
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 64; i++) (*now)[i % 10]++; // RACE(1,1)
  }
  int sum = 0;
  for (int x : *table.load()) sum += x;
  std::printf("sum = %d\n", sum);
  return sum == 74 ? 0 : 1;
}
