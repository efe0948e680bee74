// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks execute one plan of FFTW: with the same arrays, and make plans beside each other.
// (Run by one thread: a planner that two threads use at a time may hang.)
// needs: /usr/lib/x86_64-linux-gnu/libfftw3.so
// flags: -lfftw3 -Wno-unused-command-line-argument
// threads: 1
// builds: driver
#include <fftw3.h>
#include <stdio.h>

enum { n = 64 };

int main(void) {
  fftw_complex *a = fftw_malloc(sizeof *a * n), *b = fftw_malloc(sizeof *b * n), *c = fftw_malloc(sizeof *c * n);
  double *d = fftw_malloc(sizeof *d * n), *e = fftw_malloc(sizeof *e * n);
  const fftw_plan forth = fftw_plan_dft_1d(n, a, b, FFTW_FORWARD, FFTW_ESTIMATE);
  for (int i = 0; i < n; i++) a[i][0] = i, a[i][1] = 0, d[i] = e[i] = i;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    fftw_execute(forth); // RACE(1)
#pragma omp task
    fftw_execute_dft(forth, a, b); // RACE(1)
#pragma omp task
    {
      fftw_plan real = fftw_plan_r2r_1d(n, d, d, FFTW_REDFT10, FFTW_ESTIMATE); // RACE(2*)
      fftw_execute(real);
      fftw_destroy_plan(real); // RACE(2*)
    }
#pragma omp task
    {
      fftw_plan other = fftw_plan_r2r_1d(n, e, e, FFTW_REDFT10, FFTW_MEASURE); // RACE(2*)
      fftw_execute(other);
      fftw_destroy_plan(other); // RACE(2*)
    }
  }
  fftw_destroy_plan(forth);
  printf("%g\n", b[0][0]);
  return 0;
}
