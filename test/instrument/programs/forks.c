// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children by fork() from serial code and from inside a parallel region run, use OpenMP and memory, and end with their
// own status.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int sum(int n) {
  int total = 0;
#pragma omp parallel for reduction(+ : total) num_threads(2)
  for (int i = 0; i < n; i++) {
    int* p = malloc(sizeof *p);
    *p = i;
    total += *p;
    free(p);
  }
  return total;
}

static int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
  int good = 1;
  pid_t child = fork(); // before OpenMP
  if (child == 0) exit(sum(10) == 45 ? 17 : 1);
  good &= status_of(child) == 17;
  good &= sum(10) == 45;
#ifndef __clang__ // on libgomp the child would hang
  good &= omp_pause_resource_all(omp_pause_hard) == 0;
#endif
  child = fork(); // after it
  if (child == 0) exit(sum(10) == 45 ? 18 : 1);
  good &= status_of(child) == 18;
#pragma omp parallel num_threads(2)
  {
    int* p = malloc(100);
    p[0] = 1;
#pragma omp single
    for (int i = 0; i < 5; i++) {
      pid_t inner = fork();
      if (inner == 0) {
        p[1] = p[0];
        free(malloc(1000));
        _exit(19);
      }
      if (status_of(inner) != 19) {
#pragma omp atomic write
        good = 0;
      }
    }
    free(p);
  }
  puts(good ? "ok" : "wrong");
  return 0;
}
