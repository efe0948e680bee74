// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads replace a shared table by changed copies of it.
// Fixed: the pointer to it is atomic, and what it points to is never changed.
// flags: -std=c++20
#include <atomic>
#include <cstdio>
#include <memory>
#include <vector>

int main() {
  std::atomic<std::shared_ptr<const std::vector<int>>> table{std::make_shared<const std::vector<int>>(10, 1)};
#pragma omp parallel for
  for (int i = 0; i < 64; i++) {
    auto now = table.load();
    for (;;) {
      auto next = std::make_shared<std::vector<int>>(*now);
      (*next)[i % 10]++;
      if (table.compare_exchange_strong(now, next)) break;
    }
  }
  int sum = 0;
  for (int x : *table.load()) sum += x;
  std::printf("sum = %d\n", sum);
  return sum == 74 ? 0 : 1;
}
