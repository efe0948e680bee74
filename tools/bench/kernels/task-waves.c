// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thousand waves of a thousand tasks: each reads two cells of the wave before and changes its own, ordered by
// dependences on a thousand addresses. All are created before the first one runs.
#include "gate.h"
#include "kernel.h"

enum { width = 1000 };

static long cell[width + 1];

int main(int argc, char** argv) {
  long waves = scaled(1000, argc, argv);
  for (int i = 0; i <= width; i++) cell[i] = i;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : cell[0])
    wait_at_gate();
    for (long w = 0; w < waves; w++)
      for (int i = 0; i < width; i++) {
#pragma omp task depend(in : cell[i + 1]) depend(inout : cell[i])
        cell[i] = (cell[i] * 3 + cell[i + 1] + w) % 1000003;
      }
    open_gate();
  }
  double sum = 0.0;
  for (int i = 0; i <= width; i++) sum += (double)cell[i] * (i % 7);
  return checksum(sum);
}
