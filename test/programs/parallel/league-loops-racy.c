// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each team of a league smooths its half of a signal.
// Racy: the neighbours of an element are read in the array that is written.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

enum { n = 128, half = n / 2 };
static double signal[n];

static void smooth(double* s, int begin, int end) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = begin; i < end - 1; i++) s[i] = s[i + 1] / 2; // RACE(1,1)
}

int main(void) {
  for (int i = 0; i < n; i++) signal[i] = i;
#pragma omp teams num_teams(2)
  {
    int begin = omp_get_team_num() * half, end = omp_get_num_teams() == 1 ? n : begin + half;
    smooth(signal, begin, end);
  }
  printf("begins with %d\n", signal[0] > 0);
  return signal[0] > 0 ? 0 : 1;
}
