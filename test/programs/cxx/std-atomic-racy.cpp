// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Message passing with std::atomic.
// Racy: relaxed.
// threads: 2
#include <atomic>
#include <cstdio>
#include <omp.h>

static int data, got;
static std::atomic<bool> ready{false};

int main() {
  constexpr auto publish = std::memory_order_relaxed, observe = std::memory_order_relaxed;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      data = 42; // RACE(1)
      ready.store(true, publish);
    } else {
      while (!ready.load(observe)) {
      }
      got = data; // RACE(1)
    }
  }
  std::printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
