// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The teams of a league on the device count into one variable.
// Racy: a critical construct excludes the threads of one contention group only, and each team is one.
// flags: -fopenmp-targets=x86_64-pc-linux-gnu -Wl,-rpath,/usr/lib/llvm-19/lib
// needs: /usr/lib/llvm-19/bin/clang-linker-wrapper
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 1000 };

int main(void) {
  int count = 0;
#pragma omp target teams distribute parallel for num_teams(2) map(tofrom : count)
  for (int i = 0; i < n; i++) {
#pragma omp critical
    count++; // RACE(1,1)
  }
  printf("%d\n", count);
  return count == n ? 0 : 1;
}
