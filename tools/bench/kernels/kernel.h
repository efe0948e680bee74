// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels share: the size argument and the line that says what was computed. A kernel's first argument is the
// part of its standard work in percent; 100, the default, is about one second with two threads at -O2.
#pragma once

#include <stdio.h>
#include <stdlib.h>

// `standard`, or as much of it as the command line asks for, but at least 1.
static inline long scaled(long standard, int argc, char** argv) {
  double percent = argc > 1 ? atof(argv[1]) : 100.0;
  long result = (long)((double)standard * percent / 100.0);
  return result > 0 ? result : 1;
}

// Prints a result that does not depend on the schedule, except for the last digits of a sum.
static inline int checksum(double value) {
  printf("checksum %.12g\n", value);
  return 0;
}

// A small generator of random numbers (SplitMix64): the same numbers in every run, for every caller.
static inline unsigned long long random_bits(unsigned long long* state) {
  unsigned long long z = (*state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// A random number of [0, 1).
static inline double random_unit(unsigned long long* state) { return (double)(random_bits(state) >> 11) * 0x1p-53; }
