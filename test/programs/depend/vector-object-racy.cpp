// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task fills a vector, another reads it.
// Racy: the one names the vector's first element, the other the vector itself.
// compilers: clang
// levels: native graph
#include <cstdio>
#include <vector>

int main() {
  int got = 0;
#pragma omp parallel shared(got)
#pragma omp single
  {
    std::vector<int> v(4);
#pragma omp task depend(out : v[0]) shared(v)  // FINDING(unmatched-dependence,1)
    v[0] = 42;                                 // RACE(1)
#pragma omp task depend(in : v) shared(v, got) // FINDING(unmatched-dependence,1) NAMES(v)
    got = v[0];                                // RACE(1)
#pragma omp taskwait
  }
  std::printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
