// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task fills a vector, another reads it.
// Fixed: both name the vector.
// levels: native graph
#include <cstdio>
#include <vector>

int main() {
  int got = 0;
#pragma omp parallel shared(got)
#pragma omp single
  {
    std::vector<int> v(4);
#pragma omp task depend(out : v) shared(v)
    v[0] = 42;
#pragma omp task depend(in : v) shared(v, got)
    got = v[0];
#pragma omp taskwait
  }
  std::printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
