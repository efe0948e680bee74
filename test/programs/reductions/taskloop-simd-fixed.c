// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop whose tasks are loops for vectors reduces into copies: of a number, of an array's section, of a sum of the
// user's, and of what the taskgroup around it reduces. Lanes have copies as tasks have.
#include <stdio.h>

enum { n = 400, bins = 4 };

struct extent {
  int low, high;
};
static struct extent joined(struct extent a, struct extent b) {
  return (struct extent){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}
#pragma omp declare reduction(join : struct extent : omp_out = joined(omp_out, omp_in)) initializer(omp_priv = omp_orig)

int main(void) {
  int values[n], sum = 0, histogram[bins] = {0}, again = 0;
  struct extent extent = {n, -1};
  for (int i = 0; i < n; i++) values[i] = i * 7 % 100;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop simd reduction(+ : sum) grainsize(50)
    for (int i = 0; i < n; i++) sum += values[i];
#pragma omp taskloop simd reduction(+ : histogram[0 : bins]) grainsize(50)
    for (int i = 0; i < n; i++) histogram[0] += values[i];
#pragma omp taskloop simd reduction(join : extent) grainsize(50)
    for (int i = 0; i < n; i++) extent = joined(extent, (struct extent){values[i], values[i]});
#pragma omp taskgroup task_reduction(+ : again)
#pragma omp taskloop simd in_reduction(+ : again) grainsize(50)
    for (int i = 0; i < n; i++) again += values[i];
  }
  printf("%d %d %d %d %d\n", sum, histogram[0], extent.low, extent.high, again);
  return 0;
}
