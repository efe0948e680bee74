// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member waits in read() for what another one writes later to a pipe; the rest of the team waits at the barrier.
// threads: 2
// levels: native graph
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int end[2], got = 0;
  if (pipe(end) != 0) return 1;
#pragma omp parallel
  {
    char letter = 0;
    if (omp_get_thread_num() == 0) {
      if (read(end[0], &letter, 1) == 1) got = letter;
    } else if (omp_get_thread_num() == 1) {
      usleep(1600000);
      letter = 'x';
      if (write(end[1], &letter, 1) != 1) perror("write");
    }
#pragma omp barrier
  }
  printf("got %c\n", got);
  return got == 'x' ? 0 : 1;
}
