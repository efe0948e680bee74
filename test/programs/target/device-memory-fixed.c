// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target constructs on a device that is the host's own processor. The runtime hands out the same memory of the device
// to one after another, of threads and target tasks that are concurrent.
// Fixed: each has its own slice of the result; two that have the same one are ordered by their dependences; and each
// row of a matrix is summed up by one thread.
// In a team of one LLVM 19 itself fails an assertion where target tasks are created.
// threads: 2 8
// flags: -fopenmp-targets=x86_64-pc-linux-gnu -Wl,-rpath,/usr/lib/llvm-19/lib
// needs: /usr/lib/llvm-19/bin/clang-linker-wrapper
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 4096, slice = 64, slices = 40 };
static int a[n], b[n], c[4];
enum { rows = 24, columns = 10 };
static int m[rows][columns], sums[rows];

int main(void) {
  for (int i = 0; i < n; i++) a[i] = i;

#pragma omp parallel
#pragma omp single
  for (int k = 0; k < slices; k++) {
#pragma omp target map(to : a) map(from : b[k * slice : slice]) nowait
    for (int i = 0; i < slice; i++) b[k * slice + i] = a[i] + a[n - 1 - i];
  }

#pragma omp parallel for
  for (int k = 0; k < slices; k++) {
    int own[slice], sum = 0;
    for (int i = 0; i < slice; i++) own[i] = k;
#pragma omp target firstprivate(own) map(tofrom : b[k * slice : slice])
    for (int i = 0; i < slice; i++) b[k * slice + i] += own[i];
#pragma omp target map(to : own) map(tofrom : sum)
    for (int i = 0; i < slice; i++) sum += own[i];
    b[k * slice] += sum;
  }

#pragma omp parallel
#pragma omp single
  for (int k = 0; k < slices; k++) {
#pragma omp task depend(inout : c[k % 4])
    {
#pragma omp target teams distribute parallel for map(tofrom : b[(k % 4) * slice : slice])
      for (int i = (k % 4) * slice; i < (k % 4 + 1) * slice; i++) b[i] += 1;
    }
  }

#pragma omp target teams distribute parallel for map(to : m) map(tofrom : sums)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) sums[i] += m[i][j];

  long total = sums[1];
  for (int i = 0; i < n; i++) total += b[i];
  printf("total = %ld\n", total);
  return 0;
}
