// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A std::thread prepares a value for a parallel region.
// Racy: it is joined after the region.
// builds: driver
#include <cstdio>
#include <omp.h>
#include <thread>

static int value, got[256];

int main() {
  std::thread producer([] {
    value = 42; // RACE(1)
  });
#pragma omp parallel
  got[omp_get_thread_num()] = value; // RACE(1)
  producer.join();
  std::printf("value = %d\n", value);
  return got[0] == 42 || got[0] == 0 ? 0 : 1;
}
