// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random walks that are counted where they end: atomic updates of a shared histogram, and some atomics on one counter.
#include "kernel.h"

enum { bins = 4096, walk_length = 32 };

static unsigned histogram[bins];
static unsigned long far_walks;

int main(int argc, char** argv) {
  long walks = scaled(45000000, argc, argv);
#pragma omp parallel for schedule(static)
  for (long w = 0; w < walks; w++) {
    unsigned long long state = (unsigned long long)w * 977;
    unsigned long long steps = random_bits(&state), lengths = random_bits(&state);
    int place = bins / 2;
    for (int s = 0; s < walk_length; s++) place += ((steps >> s) & 1 ? 1 : -1) * (int)(lengths >> (s / 2 * 2) & 31);
    if (place < 0) place = 0;
    if (place >= bins) place = bins - 1;
#pragma omp atomic
    histogram[place]++;
    if (place < bins / 4 || place >= 3 * bins / 4) {
#pragma omp atomic
      far_walks++;
    }
  }
  double sum = (double)far_walks;
  for (int b = 0; b < bins; b++) sum += (double)histogram[b] * (b % 64);
  return checksum(sum);
}
