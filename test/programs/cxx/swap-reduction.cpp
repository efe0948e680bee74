// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction that keeps the longest text by swapping: the original's memory goes to the copy of whoever combines,
// and is freed with it right after the combination.
// Silent: it is the combining thread's from then on, whichever thread that is.
// expect: silent
// threads: 1 2 5 8
#include <cstdio>
#include <string>
#include <vector>

using Numbers = std::vector<int>;

static void keep_longest(Numbers& kept, Numbers& other) {
  if (other.size() > kept.size()) kept.swap(other);
  if (!other.empty()) other[0] = -1;
}
#pragma omp declare reduction(longest:Numbers : keep_longest(omp_out, omp_in)) initializer(omp_priv = Numbers())

int main() {
  Numbers best(3, 1);
  std::size_t first = 0;
#pragma omp parallel shared(best, first)
  {
#pragma omp for reduction(longest : best) nowait
    for (int i = 0; i < 64; i++)
      if (best.size() < 20u + static_cast<unsigned>(i)) best.assign(20u + static_cast<unsigned>(i), i);
    std::string text(100, 'x');
#pragma omp masked
    first += text.size();
  }
  Numbers again;
#pragma omp parallel for reduction(longest : again)
  for (int i = 0; i < 64; i++)
    if (again.size() < 20u + static_cast<unsigned>(i)) again.assign(20u + static_cast<unsigned>(i), i);
  std::printf("%zu numbers\n", best.size());
  return best.size() == 83 && again.size() == 83 && first == 100 ? 0 : 1;
}
