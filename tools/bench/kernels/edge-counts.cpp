// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many edges each vertex of a random graph has: C++ atomics at random places, sequentially consistent as by
// default.
#include "kernel.h"

#include <atomic>
#include <vector>

int main(int argc, char** argv) {
  constexpr long vertices = 1 << 17;
  const long edges = scaled(40000000, argc, argv);
  std::vector<std::atomic<int>> degree(vertices);
#pragma omp parallel for
  for (long e = 0; e < edges; e++) {
    unsigned long long state = static_cast<unsigned long long>(e);
    degree[random_bits(&state) % vertices]++;
    degree[random_bits(&state) % vertices]++;
  }
  double sum = 0.0;
  for (long v = 0; v < vertices; v++) sum += static_cast<double>(degree[v].load()) * static_cast<double>(v % 17);
  return checksum(sum);
}
