// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix times a vector on a device, its rows divided among two threads.
// Racy: one row of the matrix is mapped only. The second thread's rows are far from that, where there is no memory, and
// the program ends at once.
// threads: 2
// flags: -fopenmp-targets=x86_64-pc-linux-gnu
// needs: /usr/lib/llvm-19/lib/libomptarget.so
// compilers: clang
// builds: driver
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 2048 };

static void leave(int signal) {
  (void)signal;
  _Exit(0);
}

int main(void) {
  signal(SIGSEGV, leave);
  int* const matrix = malloc(sizeof(int[n][n]));
  int* const x = malloc(sizeof(int[n]));
  int* const y = malloc(sizeof(int[n]));
  for (int i = 0; i < n * n; i++) matrix[i] = 1;
  for (int i = 0; i < n; i++) x[i] = 1, y[i] = 0;
#pragma omp target parallel for map(to : matrix[0 : n], x[0 : n]) map(tofrom : y[0 : n]) // FINDING(mapping-bug)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[i] += matrix[i * n + j] * x[j]; // FINDING(mapping-bug)
  printf("%d\n", y[n - 1]);
  free(matrix), free(x), free(y);
  return 0;
}
