// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks have a copy of a closure, or of a pointer, that leads to an array of the function that creates them.
// Racy: the function returns without waiting for them.
// compilers: clang
// builds: driver
#include <cstdio>

static double total;

static void by_closure() {
  double weights[64];
  for (int i = 0; i < 64; ++i) weights[i] = i;
  auto add = [&weights](int i) {
#pragma omp atomic
    total += weights[i];
  };
  for (int i = 0; i < 8; ++i) {
#pragma omp task firstprivate(add, i) // FINDING(missing-taskwait)
    add(i);
  }
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    by_closure();
#pragma omp taskwait
  }
  std::printf("%d\n", total == total);
}
