// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sort of integers: each thread counts the digits of its part, the counts become places, each thread moves its
// part there; once for each digit.
#include "kernel.h"

#include <omp.h>

enum { n = 1 << 22, digit_bits = 8, digits = 1 << digit_bits, max_threads = 256 };

static unsigned keys[n], sorted[n];
static int place[max_threads][digits];

static void sort_by_digit(const unsigned* from, unsigned* to, int shift) {
  int me = omp_get_thread_num(), threads = omp_get_num_threads();
  int begin = (int)((long)n * me / threads), end = (int)((long)n * (me + 1) / threads);
  for (int d = 0; d < digits; d++) place[me][d] = 0;
  for (int i = begin; i < end; i++) place[me][from[i] >> shift & (digits - 1)]++;
#pragma omp barrier
#pragma omp single
  {
    int next = 0;
    for (int d = 0; d < digits; d++)
      for (int t = 0; t < threads; t++) {
        int count = place[t][d];
        place[t][d] = next;
        next += count;
      }
  }
  for (int i = begin; i < end; i++) to[place[me][from[i] >> shift & (digits - 1)]++] = from[i];
#pragma omp barrier
}

int main(int argc, char** argv) {
  long sorts = scaled(40, argc, argv);
  double sum = 0.0;
#pragma omp parallel num_threads(omp_get_max_threads() < max_threads ? omp_get_max_threads() : max_threads)
  for (long s = 0; s < sorts; s++) {
#pragma omp for
    for (int i = 0; i < n; i++) {
      unsigned long long state = (unsigned long long)i + (unsigned long long)s * n;
      keys[i] = (unsigned)random_bits(&state);
    }
    for (int shift = 0; shift < 32; shift += 2 * digit_bits) {
      sort_by_digit(keys, sorted, shift);
      sort_by_digit(sorted, keys, shift + digit_bits);
    }
#pragma omp single
    for (int i = 0; i < n; i += 4099) sum += (double)keys[i] * (i % 13);
  }
  return checksum(sum);
}
