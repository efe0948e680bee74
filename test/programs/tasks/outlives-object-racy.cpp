// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member function creates a task that uses the object.
// Racy: the object is a local variable of a function that does not wait.
// compilers: clang
// levels: native graph
#include <cstdio>

static int got;

struct Worker {
  int value;
  [[gnu::noinline]] void start() {
#pragma omp task shared(got) // FINDING(missing-taskwait,1)
    got = value;
  }
};

[[gnu::noinline]] static void work(int n) {
  Worker worker{n};
  worker.start(); // FINDING(missing-taskwait,1): the call in it may be the last, a jump
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    work(3);
#pragma omp taskwait
  }
  std::printf("got = %s\n", got == 3 ? "3" : "something else");
}
