// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words that threads and their tasks collect in a map.
// Fixed: all of them take part in the reduction.
// compilers: clang
#include <cstdio>
#include <map>
#include <string>

namespace {

struct Words {
  std::map<std::string, int> counts;
  void add(const Words& other) {
    for (const auto& [word, count] : other.counts) counts[word] += count;
  }
};

#pragma omp declare reduction(joined:Words : omp_out.add(omp_in)) initializer(omp_priv = Words())

constexpr int n = 40;

} // namespace

int main() {
  Words words;
#pragma omp parallel reduction(task, joined : words)
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) {
      words.counts["loop"]++;
#pragma omp task in_reduction(joined : words)
      words.counts[i % 4 == 0 ? "fourth" : "other"]++;
    }
  }
  const int sum = words.counts["loop"] + words.counts["fourth"] + words.counts["other"];
  std::printf("%d\n", sum);
  return sum == 2 * n ? 0 : 1;
}
