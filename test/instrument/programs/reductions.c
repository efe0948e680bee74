// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task reductions: the runtime's copies belong to threads, and the tasks of a thread share one. Nothing may be found.
#include <stdio.h>

enum { items = 200 };
static double values[items];

int main(void) {
  for (int i = 0; i < items; i++) values[i] = i;
  double sum = 0;
  int most = 0, histogram[8] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(max : most)
    for (int i = 0; i < items; i++)
#pragma omp task in_reduction(+ : sum) in_reduction(max : most)
    {
      sum += values[i];
      if (most < i) most = i;
    }
#pragma omp taskloop reduction(+ : histogram[0 : 8]) grainsize(4)
    for (int i = 0; i < items; i++) histogram[i % 8]++;
    // Again: the memory of the first reductions may be used by these.
#pragma omp taskloop reduction(+ : sum) grainsize(2)
    for (int i = 0; i < items; i++) sum += values[i];
  }
  int good = sum == 2 * (items * (items - 1) / 2) && most == items - 1;
  for (int i = 0; i < 8; i++) good &= histogram[i] == items / 8;
  puts(good ? "ok" : "wrong");
  return 0;
}
