// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member function creates a task that uses the object.
// Fixed: the object waits for its tasks at its end.
// levels: native graph
#include <cstdio>

static int got;

struct Worker {
  int value;
  explicit Worker(int v) : value(v) {}
  ~Worker() {
#pragma omp taskwait
  }
  [[gnu::noinline]] void start() {
#pragma omp task shared(got)
    got = value;
  }
};

[[gnu::noinline]] static void work(int n) {
  Worker worker{n};
  worker.start();
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    work(3);
#pragma omp taskwait
  }
  std::printf("got = %d\n", got);
  return got == 3 ? 0 : 1;
}
