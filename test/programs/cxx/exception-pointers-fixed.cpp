// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks are told of a failure by std::exception_ptr; whoever gives the exception up last destroys it, which
// may be a handler.
// Fixed: they only read it.
#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

static int culprits[8];

static std::exception_ptr failure() {
  try {
    throw std::vector<int>{1, 2, 3};
  } catch (...) {
    return std::current_exception();
  }
}

static int second_of(std::exception_ptr failed) {
  try {
    std::rethrow_exception(std::move(failed));
  } catch (const std::vector<int>& parts) {
    return parts[1];
  }
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    std::exception_ptr failed = failure();
    for (int t = 0; t < 8; t++) {
#pragma omp task firstprivate(t, failed)
      culprits[t] = second_of(t % 2 == 0 ? failed : std::exchange(failed, nullptr));
    }
    failed = nullptr;
  }
  int sum = 0;
  for (int culprit : culprits) sum += culprit;
  std::printf("sum = %d\n", sum);
  return sum == 16 ? 0 : 1;
}
