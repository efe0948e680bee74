// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function creates a task for its caller's variable, which it has by reference.
// Fixed: the caller waits; the function that creates the task need not.
// levels: native graph
#include <cstdio>

static int got;

[[gnu::noinline]] static void start(const int& value) {
#pragma omp task shared(value, got)
  got = value;
}

[[gnu::noinline]] static void caller(int n) {
  const int local = n + 1;
  start(local);
#pragma omp taskwait
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    caller(1);
#pragma omp taskwait
  }
  std::printf("got = %d\n", got);
  return got == 2 ? 0 : 1;
}
