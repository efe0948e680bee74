// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that the host initialises is copied to the device with the data that it protects.
// Fixed: the threads of one team take it, and the copy needs no life of its own.
// threads: 2
// flags: -fopenmp-targets=x86_64-pc-linux-gnu
// needs: /usr/lib/llvm-19/lib/libomptarget.so
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>

enum { n = 100 };

int main(void) {
  int count = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp target parallel for map(tofrom : count, lock)
  for (int i = 0; i < n; i++) {
    omp_set_lock(&lock);
    count++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("%d\n", count);
  return count == n ? 0 : 1;
}
