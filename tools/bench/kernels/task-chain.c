// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A million tasks, each depending on the one before and all created before the first one runs: what a dependence costs.
#include "gate.h"
#include "kernel.h"

int main(int argc, char** argv) {
  long tasks = scaled(1000000, argc, argv);
  long value = 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : value)
    wait_at_gate();
    for (long t = 0; t < tasks; t++) {
#pragma omp task depend(inout : value)
      value = (value * 31 + t) % 1000003;
    }
    open_gate();
  }
  return checksum((double)value);
}
