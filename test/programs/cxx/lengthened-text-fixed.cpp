// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks change a text, one of them by the C++ library's own code, which frees the block that the other one writes
// to. With one thread, because the library's accesses are not seen, and the other order has another block.
// Fixed: depend clauses order the tasks.
// threads: 1
#include <cstdio>
#include <string>

namespace {
void lengthen(std::string& text) { text.append(", and so on and on"); }
} // namespace

int main() {
  std::string text(30, 'x');
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(text) depend(inout : text)
    text[20] = 'y';
#pragma omp task shared(text) depend(inout : text)
    lengthen(text);
  }
  std::printf("%zu\n", text.size());
  return text.size() == 48 ? 0 : 1;
}
