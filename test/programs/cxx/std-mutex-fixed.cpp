// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks add under a std::mutex.
// Fixed: both under the same.
#include <cstdio>
#include <mutex>

static std::mutex first;
static int total;

int main() {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      std::lock_guard<std::mutex> guard(first);
      total += 1;
    }
#pragma omp task
    {
      std::lock_guard<std::mutex> guard(first);
      total += 2;
    }
  }
  std::printf("total = %d\n", total);
  return total == 3 ? 0 : 1;
}
