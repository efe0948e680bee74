// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A million tasks, each depending on the one before: what a dependence costs.
#include "kernel.h"

int main(int argc, char** argv) {
  long tasks = scaled(1000000, argc, argv);
  long value = 1;
#pragma omp parallel
#pragma omp single
  for (long t = 0; t < tasks; t++) {
#pragma omp task depend(inout : value)
    value = (value * 31 + t) % 1000003;
  }
  return checksum((double)value);
}
