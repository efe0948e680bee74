// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram and the list of what was too large for it, gathered by tasks in classes that have memory of their own.
// Fixed: both are reduced, so that each thread has a copy, which its tasks share.
// compilers: clang
#include <cstdio>
#include <string>
#include <vector>

namespace {

struct Histogram {
  std::vector<int> counts = std::vector<int>(8);
  void add(const Histogram& other) {
    for (std::size_t i = 0; i < counts.size(); i++) counts[i] += other.counts[i];
  }
};

struct Names {
  std::vector<std::string> all;
  void add(const Names& other) { all.insert(all.end(), other.all.begin(), other.all.end()); }
};

#pragma omp declare reduction(counted:Histogram : omp_out.add(omp_in)) initializer(omp_priv = Histogram())
#pragma omp declare reduction(named:Names : omp_out.add(omp_in)) initializer(omp_priv = Names())

constexpr int n = 300;

} // namespace

int main() {
  Histogram histogram;
  Names names;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(10) reduction(counted : histogram) reduction(named : names)
  for (int i = 0; i < n; i++) {
    const int value = i * 7 % 10;
    if (value < 8)
      histogram.counts[static_cast<std::size_t>(value)]++;
    else
      names.all.push_back("a number that is too large: " + std::to_string(i));
  }
  int sum = 0;
  for (const int count : histogram.counts) sum += count;
  std::printf("%d %zu\n", sum, names.all.size());
  return sum == 240 && names.all.size() == 60 ? 0 : 1;
}
