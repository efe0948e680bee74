// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks are told of a failure by std::exception_ptr; whoever gives the exception up last destroys it.
// Racy: each notes in the exception that it has heard of it, and all have the same one.
#include <cstdio>
#include <exception>
#include <vector>

static std::exception_ptr failure() {
  try {
    throw std::vector<int>{1, 2, 3};
  } catch (...) {
    return std::current_exception();
  }
}

int main() {
  int heard = 0;
#pragma omp parallel
#pragma omp single
  {
    std::exception_ptr failed = failure();
    for (int t = 0; t < 8; t++) {
#pragma omp task firstprivate(failed) shared(heard)
      try {
        std::rethrow_exception(failed);
      } catch (std::vector<int>& parts) {
        parts[0]++; // RACE(1,1)
#pragma omp atomic
        heard++;
      }
    }
    failed = nullptr;
  }
  std::printf("heard of it: %d\n", heard);
  return heard == 8 ? 0 : 1;
}
