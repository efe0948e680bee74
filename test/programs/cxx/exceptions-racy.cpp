// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks call a function that throws for some of them, through frames with local arrays.
// Racy: the handler counts without protection.
#include <cstdio>
#include <numeric>
#include <stdexcept>

static int results[30];

__attribute__((noinline)) static int digits_of(int number, int* digits) {
  for (int i = 0; i < 8; i++) digits[i] = number + i;
  if (number % 3 == 0) throw std::runtime_error("a multiple of three");
  return std::accumulate(digits, digits + 8, 0);
}

__attribute__((noinline)) static int parse(int number) {
  int digits[8];
  return digits_of(number, digits);
}

int main() {
  int failures = 0;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 30; t++) {
#pragma omp task firstprivate(t) shared(failures)
    try {
      results[t] = parse(t);
    } catch (const std::exception&) {
      failures++; // RACE(1,1)
    }
  }
  std::printf("failures = %d, results[1] = %d\n", failures, results[1]);
  return failures == 10 && results[1] == 36 ? 0 : 1;
}
