// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task has copies of its own of what is firstprivate, made by copy constructors, whether it is deferred or not; the
// creator may go on to change what they were made from.
// expect: silent
#include <cstdio>
#include <string>
#include <vector>

static int count(const std::string& text, char what) {
  int n = 0;
  for (char c : text) n += c == what;
  return n;
}

int main() {
  constexpr int tasks = 20;
  std::vector<int> counts(tasks);
  std::string text(100, 'x');
  std::vector<int> numbers(50, 1);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < tasks; ++i) {
    text[i] = 'y';
#pragma omp task firstprivate(text, numbers, i) shared(counts) if (i % 2 != 0)
    {
      text += "y";
      numbers.push_back(i);
      int sum = 0;
      for (int n : numbers) sum += n;
      counts[i] = count(text, 'y') + sum;
    }
  }
  int wrong = 0;
  for (int i = 0; i < tasks; ++i) wrong += counts[i] != (i + 2) + (50 + i);
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
