// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task reads two parts of a record at once, and another one writes the same to a file.
// Fixed: it writes what the other one does not get to.
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

static char head[4] = "head", body[8] = "the body";

int main(void) {
  int pipe_ends[2], out[2];
  if (pipe(pipe_ends) != 0 || pipe(out) != 0 || write(pipe_ends[1], "HEADBODY", 8) != 8) return 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      struct iovec parts[2] = {{head, sizeof head}, {body, sizeof body}};
      (void)!readv(pipe_ends[0], parts, 2);
    }
#pragma omp task
    {
      struct iovec parts[2] = {{body + 4, 4}, {"\n", 1}};
      (void)!writev(out[1], parts, 2);
    }
  }
  printf("%.4s%.8s\n", head, body);
  return 0;
}
