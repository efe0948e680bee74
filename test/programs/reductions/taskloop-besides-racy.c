// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compilers: clang
// The tasks of a taskloop sum up an array and look for its largest element.
// Racy: it is in a variable beside the sum, of which there is one for all. (With one thread, the sum is as well, but
// that is the tasks' copy of it.)
#include <stdio.h>

enum { n = 100 };
static int data[n];

int main(void) {
  for (int i = 0; i < n; i++) data[i] = (i * 37) % 101;
  long found[2] = {0, 0};
  long* most = &found[1];
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(10) reduction(+ : found[0 : 1]) // ALSO(m) RACE(1*): may be loaded ahead of the loop
  for (int i = 0; i < n; i++) {
    found[0] += data[i];
    if (data[i] > most[0]) // RACE(1*)
      most[0] = data[i];   // RACE(1*)
  }
  printf("%ld %ld\n", found[0], most[0]);
  return 0;
}
