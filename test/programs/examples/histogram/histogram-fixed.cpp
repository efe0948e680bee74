// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histogram of the lengths of the words of a text.
//
// Fixed: the count is incremented atomically.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr std::size_t longest = 12;

std::vector<std::string> make_words(std::size_t count) {
  std::vector<std::string> words;
  unsigned state = 1;
  for (std::size_t i = 0; i < count; i++) {
    state = state * 1664525u + 1013904223u;
    words.emplace_back(1 + (state >> 24) % longest, 'a');
  }
  return words;
}

void count_lengths(const std::vector<std::string>& words, std::vector<int>& histogram) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < words.size(); i++) {
    const std::size_t bin = std::min(words[i].size(), longest);
#pragma omp atomic
    histogram[bin]++;
  }
}

} // namespace

int main() {
  const std::vector<std::string> words = make_words(3000);
  std::vector<int> histogram(longest + 1);
  count_lengths(words, histogram);
  const int total = std::accumulate(histogram.begin(), histogram.end(), 0);
  const bool all = static_cast<std::size_t>(total) == words.size();
  std::printf("counted %s of %zu words\n", all ? "all" : "NOT ALL", words.size());
  return all ? 0 : 1;
}
