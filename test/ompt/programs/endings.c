// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes one finding (a dependence between tasks that are not siblings), then ends in the way that the argument says.
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void find(void) {
  int x = 0, stop = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(x)
    {
#pragma omp task depend(out : x) shared(x)
      x = 1;
#pragma omp taskwait
    }
#pragma omp task depend(in : x) shared(x, stop)
    stop = x;
#pragma omp taskwait
  }
}

static void quietly(void) {}

static int deeper(int n) {
  volatile char room[65536];
  room[n % 65536] = 1;
  return deeper(n + 1) + room[n % 65536];
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "return";
  volatile int* nowhere = 0;
  if (strcmp(way, "clean") != 0)
    find();
  else
#pragma omp parallel num_threads(2)
    quietly();
  fputs("out", stdout);
  if (!strcmp(way, "exit")) exit(3);
  if (!strcmp(way, "file size")) {
    const struct rlimit none = {0, 0};
    fflush(stdout);
    setrlimit(RLIMIT_FSIZE, &none);
  }
  if (!strcmp(way, "primary"))
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    exit(3);
#pragma omp barrier
  }
  if (!strcmp(way, "worker"))
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) exit(3);
#pragma omp barrier
  }
  if (!strcmp(way, "task"))
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
    exit(3);
  fflush(stdout);
  if (!strcmp(way, "_exit")) _exit(3);
  if (!strcmp(way, "quick_exit")) quick_exit(3);
  if (!strcmp(way, "abort")) abort();
  if (!strcmp(way, "segv")) *nowhere = 1;
  if (!strcmp(way, "overflow"))
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) deeper(0);
  if (!strcmp(way, "heap")) { // libc finds its free list broken while it holds its lock
    void** volatile block = malloc(2000);
    void* volatile between = malloc(2000);
    free(block);
    block[0] = block[1] = (void*)&between;
    free(malloc(5000));
  }
  if (!strcmp(way, "segv_twice"))
#pragma omp parallel num_threads(2)
    *nowhere = 1;
  if (!strcmp(way, "term")) raise(SIGTERM);
  if (!strcmp(way, "int")) raise(SIGINT);
  if (!strcmp(way, "hup")) raise(SIGHUP);
  if (!strcmp(way, "ignored")) {
    signal(SIGHUP, SIG_IGN);
    raise(SIGHUP);
    return 4;
  }
  if (!strcmp(way, "fork")) { // what the parent found is not the child's
    const pid_t child = fork();
    if (child == 0) return 5;
    int status = 0;
    waitpid(child, &status, 0);
    printf(" child %d", WEXITSTATUS(status));
    return 0;
  }
  if (!strcmp(way, "sigchld")) signal(SIGCHLD, SIG_IGN);
  if (!strcmp(way, "pthread_exit")) pthread_exit(0);
  return 0;
}
