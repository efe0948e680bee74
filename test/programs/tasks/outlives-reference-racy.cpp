// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function creates a task for its caller's variable, which it has by reference.
// Racy: the caller returns without waiting.
// compilers: clang
// levels: native graph
#include <cstdio>

static int got;

[[gnu::noinline]] static void start(const int& value) {
#pragma omp task shared(value, got) // FINDING(missing-taskwait,1)
  got = value;
}

[[gnu::noinline]] static void caller(int n) {
  const int local = n + 1;
  start(local); // FINDING(missing-taskwait,1): the call in it may be the last, a jump
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    caller(1);
#pragma omp taskwait
  }
  std::printf("got = %s\n", got == 2 ? "2" : "something else");
}
