// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::scoped_lock takes any number of mutexes in any order: it tries, and lets go of all where one is not free.
// expect: silent
// levels: native graph
#include <array>
#include <cstdio>
#include <mutex>

struct Cell {
  std::mutex mutex;
  int value = 0;
};

int main() {
  static std::array<Cell, 5> cells;
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 200; i++) {
    Cell &a = cells[i % 5], &b = cells[(i + 1) % 5], &c = cells[(i + 3) % 5];
    if (i % 2) {
      std::scoped_lock both(a.mutex, b.mutex, c.mutex);
      a.value++, b.value++, c.value++;
    } else {
      std::scoped_lock both(b.mutex, c.mutex, a.mutex);
      a.value++, b.value++, c.value++;
    }
  }
  int sum = 0;
  for (auto& c : cells) sum += c.value;
  std::printf("%d\n", sum);
  return sum == 600 ? 0 : 1;
}
