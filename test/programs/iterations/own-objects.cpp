// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of a thread's own that its iterations use one after the other.
// expect: silent
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int n = 120;
std::vector<int> a(n), b(n);
std::vector<std::vector<int>> lists(n);

struct Cache {
  int key = -1, value = 0;
  int of(int k) {
    if (key != k) key = k, value = k * k;
    return value;
  }
};

struct Solver {
  std::vector<double> work = std::vector<double>(16);
  double solve(int i) {
    for (double& w : work) w += i;
    return work[0];
  }
};

} // namespace

int main() {
  double all = 0;
#pragma omp parallel reduction(+ : all)
  {
    std::vector<int> scratch;
    std::mt19937 numbers(7);
    Cache cache;
    Solver solver;
    std::map<int, int> seen;
    std::string text;
    int calls = 0;
    const auto count = [&](int i) { return calls += i; };
    std::function<int(int)> keep = [&scratch](int i) {
      scratch.push_back(i);
      return static_cast<int>(scratch.size());
    };
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      scratch.clear();
      for (int k = 0; k < i % 7; k++) scratch.push_back(k);
      a[i] = static_cast<int>(scratch.size());
      b[i] = cache.of(i / 8);
      all += solver.solve(i);
      seen[i % 10]++;
      text += 'x';
    }
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      a[i] += static_cast<int>(numbers() % 2) + count(i) * 0 + keep(i) * 0;
      lists[i].push_back(i);
      std::sort(lists[i].begin(), lists[i].end());
    }
  }
#pragma omp parallel
  {
    std::vector<int> found;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++)
      if (a[i] > 2) found.push_back(i);
#pragma omp critical
    for (const int i : found) b[0] += i;
  }
  std::printf("%d\n", static_cast<int>(lists[n - 1].size()));
  return lists[n - 1].size() == 1 ? 0 : 1;
}
