// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks log what they did under a lock, each in a line of its own; the one writes the result before, the other one
// after.
// Fixed: a dependence orders them.
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int result, line[2];

__attribute__((noinline)) static void log_line(int i) {
  omp_set_lock(&lock);
  line[i] = i + 1;
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : result)
    {
      result = 1;
      log_line(0);
    }
#pragma omp task depend(inout : result)
    {
      log_line(1);
      result = 2;
    }
  }
  omp_destroy_lock(&lock);
  printf("lines = %d\n", line[0] + line[1]);
  return result != 0 && line[0] + line[1] == 3 ? 0 : 1;
}
