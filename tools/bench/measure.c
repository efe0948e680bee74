// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program and tells what it cost: `measure FD PROGRAM ARGUMENTS...` writes "status wall user system memory" to
// the file descriptor, in seconds and KiB. It is a program of its own because the kernel counts what a process had in
// memory before exec(2) as the program's peak; this one has next to nothing.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int result = atoi(argv[1]);
  double begin = now();
  pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    close(result);
    execv(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child) return 2;
  double wall = now() - begin;
  status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  dprintf(result, "%d %.6f %.6f %.6f %ld\n", status, wall, seconds(usage.ru_utime), seconds(usage.ru_stime),
          usage.ru_maxrss);
  return 0;
}
