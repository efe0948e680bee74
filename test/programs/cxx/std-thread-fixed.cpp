// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A std::thread prepares a value for a parallel region.
// Fixed: it is joined before.
#include <cstdio>
#include <omp.h>
#include <thread>

static int value, got[256];

int main() {
  std::thread producer([] { value = 42; });
  producer.join();
#pragma omp parallel
  got[omp_get_thread_num()] = value;
  std::printf("value = %d\n", value);
  return got[0] == 42 ? 0 : 1;
}
