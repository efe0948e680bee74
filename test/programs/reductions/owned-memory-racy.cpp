// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram and the largest value, gathered by tasks.
// Bug: only the histogram is reduced; the largest value is one for all.
// compilers: clang
#include <cstdio>
#include <vector>

namespace {

struct Histogram {
  std::vector<int> counts = std::vector<int>(8);
  void add(const Histogram& other) {
    for (std::size_t i = 0; i < counts.size(); i++) counts[i] += other.counts[i];
  }
};

#pragma omp declare reduction(counted:Histogram : omp_out.add(omp_in)) initializer(omp_priv = Histogram())

constexpr int n = 300;

int largest;

} // namespace

int main() {
  Histogram histogram;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(10) reduction(counted : histogram)
  for (int i = 0; i < n; i++) {
    const int value = i * 7 % 10;
    if (value < 8)
      histogram.counts[static_cast<std::size_t>(value)]++;
    else
      largest = i; // RACE(1,1)
  }
  int sum = 0;
  for (const int count : histogram.counts) sum += count;
  std::printf("%d %d\n", sum, largest);
  return sum == 240 ? 0 : 1;
}
