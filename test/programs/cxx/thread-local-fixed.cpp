// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread counts its own calls.
// Fixed: the counter is thread_local.
#include <cstdio>
#include <omp.h>

static int per_thread[256];

__attribute__((noinline)) static int count_call() {
  static thread_local int calls = 0;
  return ++calls;
}

int main() {
#pragma omp parallel
  {
    int mine = 0;
    for (int i = 0; i < 10; i++) mine = count_call();
    per_thread[omp_get_thread_num()] = mine;
  }
  std::printf("calls = %s\n", per_thread[0] > 0 ? "counted" : "none");
  return per_thread[0] >= 10 ? 0 : 1;
}
