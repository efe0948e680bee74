// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All read the step size between their updates of a counter, each of which releases what came before it.
// Who is the last to have read it changes it.
#include <atomic>
#include <cstdio>
#include <omp.h>

static int step_size = 1;
static std::atomic<int> steps{0}, over{0};

int main() {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    long mine = 0;
    for (int i = 0; i < 200; i++) {
      mine += step_size;
      steps += 1;
      mine += step_size; // the same at another line
      steps += 1;
    }
    mine += step_size;
    if (++over == omp_get_num_threads()) step_size = 2;
    sum += mine;
  }
  std::printf("%d steps of %d, now %d\n", steps.load(), sum > 0, step_size);
}
