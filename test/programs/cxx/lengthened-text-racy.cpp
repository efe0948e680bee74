// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks change a text, one of them by the C++ library's own code, which frees the block that the other one writes
// to. With one thread, because the library's accesses are not seen, and the other order has another block.
// Racy: nothing orders the tasks. What is told is the line that calls the library, not a place within it.
// threads: 1
#include <cstdio>
#include <string>

namespace {
void lengthen(std::string& text) {
  text.append(", and so on and on"); // RACE(1)
}
} // namespace

int main() {
  std::string text(30, 'x');
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(text)
    text[20] = 'y'; // RACE(1)
#pragma omp task shared(text)
    lengthen(text);
  }
  std::printf("%zu\n", text.size());
  return text.size() == 48 ? 0 : 1;
}
