// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads write the same element of a block by which the heap grew while the program ran, the first one in a task
// of the first thread. The other one waits long enough for that task to be over.
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  int* volatile block = NULL;
  for (int i = 0; i < 500; i++) block = malloc(100000);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task
      {
        block[5] = 1;
#pragma omp task
        block[6] = 1;
#pragma omp taskwait
      }
#pragma omp taskwait
    } else {
      usleep(300000);
      block[5] = 2;
    }
  }
  return 0;
}
