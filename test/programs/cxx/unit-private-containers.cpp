// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Containers of a thread's own that the chunks of a dynamic loop fill: declared in the region, thread-local from an
// earlier region, made anew in each chunk, and moved out at the end.
// expect: silent
#include <cstdio>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

constexpr int n = 200;
thread_local std::vector<int> pool;

int main() {
  std::vector<std::vector<int>> parts;
  std::vector<int> squares(n);
#pragma omp parallel
  pool.assign(8, 1);
#pragma omp parallel
  {
    std::vector<int> mine;
    std::map<int, std::string> names;
    const auto scratch = std::make_unique<int[]>(8);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) {
      std::vector<int> local(4, i);
      pool[i % 8] += i;
      scratch[i % 8] = pool[i % 8];
      names[i % 5] += std::to_string(i);
      mine.push_back(std::accumulate(local.begin(), local.end(), 0));
      squares[i] = i * i;
    }
    std::vector<int> done;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++) {
      squares[i]++;
      done.push_back(i);
    }
#pragma omp single nowait
    for (const int i : done) squares[i]--; // its own ones
#pragma omp critical
    parts.push_back(std::move(mine));
  }
  int total = 0;
  for (const auto& part : parts) total = std::accumulate(part.begin(), part.end(), total);
  std::printf("total = %d\n", total);
  const int last = squares.back() - (n - 1) * (n - 1);
  return total == 2 * n * (n - 1) && (last == 0 || last == 1) ? 0 : 1;
}
