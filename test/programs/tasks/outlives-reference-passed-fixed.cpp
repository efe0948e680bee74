// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks have a copy of a closure, or of a pointer, that leads to an array of the function that creates them.
// Fixed: the function waits for them.
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
#pragma omp task firstprivate(add, i)
    add(i);
  }
#pragma omp taskwait
}

// The place of the array is another one's soon.
static double by_others(int n) {
  double weights[64];
  for (int i = 0; i < 64; ++i) weights[i] = n;
#pragma omp task shared(weights, n)
  weights[n] = 1;
#pragma omp taskwait
  return weights[n];
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 50; ++i) {
      by_closure();
      total += by_others(i);
    }
#pragma omp taskwait
  }
  std::printf("%d\n", total == total);
}
