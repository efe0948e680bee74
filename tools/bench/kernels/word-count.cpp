// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts words of a text: std::string and std::unordered_map, a map for each thread, merged one after the other; then
// the most frequent ones, sorted.
#include "kernel.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using Counts = std::unordered_map<std::string, long>;

std::string make_line(unsigned long long number) {
  std::string line;
  for (int w = 0; w < 12; w++) {
    unsigned rank = static_cast<unsigned>(random_unit(&number) * random_unit(&number) * 20000.0);
    for (unsigned rest = rank + 7; rest > 0; rest /= 13) line += static_cast<char>('a' + rest % 13);
    line += ' ';
  }
  return line;
}

void count_words(const std::string& line, Counts& counts) {
  for (std::size_t begin = 0, end; (end = line.find(' ', begin)) != std::string::npos; begin = end + 1)
    ++counts[line.substr(begin, end - begin)];
}

} // namespace

int main(int argc, char** argv) {
  const long rounds = scaled(10, argc, argv);
  std::vector<std::string> text(200000);
  Counts total;
#pragma omp parallel
  {
#pragma omp for
    for (std::size_t i = 0; i < text.size(); i++) text[i] = make_line(i);
    Counts mine;
    for (long r = 0; r < rounds; r++) {
#pragma omp for schedule(dynamic, 1000) nowait
      for (std::size_t i = 0; i < text.size(); i++) count_words(text[i], mine);
    }
#pragma omp critical
    for (const auto& [word, count] : mine) total[word] += count;
  }
  std::vector<std::pair<std::string, long>> sorted(total.begin(), total.end());
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  double sum = 0.0;
  for (std::size_t i = 0; i < sorted.size(); i++)
    sum += static_cast<double>(sorted[i].second) * static_cast<double>(i + sorted[i].first.size());
  return checksum(sum);
}
