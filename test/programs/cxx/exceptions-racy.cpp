// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks call a function that throws for some of them, through frames with local arrays. Before, all threads of a team
// throw, after the primary has set what all read: the unwinder's own initialisation orders nothing.
// Racy: no barrier follows what the primary does; the handler counts without protection.
// threads: 2 8
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

static int offset;

static void prepare() {
#pragma omp parallel
  {
#pragma omp masked
    offset = 1; // RACE(2)
    try {
      throw std::runtime_error("each member");
    } catch (const std::exception&) {
      const int mine = offset; // RACE(2)
#pragma omp atomic
      results[0] += mine;
    }
  }
}

int main() {
  prepare();
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
