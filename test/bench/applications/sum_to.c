// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sum.h"

long sum_to(long last) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 1; i <= last; i++) sum += i;
  return sum;
}
