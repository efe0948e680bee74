// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Has one data race, then ends in the way that the argument says, most of them inside of a region.
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static int shared_value;
static int* volatile nowhere;

static int is(const char* way, const char* name) { return strcmp(way, name) == 0; }

/// As the runtime of gfortran does it.
static void say_and_die(int signal_number) {
  (void)!write(1, "handled\n", 8);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void end(const char* way) {
  if (is(way, "exit")) exit(3);
  if (is(way, "_exit")) _exit(3);
  if (is(way, "quick_exit")) quick_exit(3);
  if (is(way, "abort")) abort();
  if (is(way, "segv")) *nowhere = 1;
  if (is(way, "handled")) raise(SIGSEGV);
  if (is(way, "term")) kill(getpid(), SIGTERM);
  for (;;) pause();
}

static void* end_from_thread(void* way) {
  end(way);
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const char *where = argv[1], *way = argv[2];
#pragma omp parallel num_threads(2)
  shared_value++;
  if (is(way, "segv")) { // in a program that has a timer
    struct itimerval often = {{0, 100}, {0, 100}};
    signal(SIGALRM, SIG_IGN);
    setitimer(ITIMER_REAL, &often, 0);
  }
  if (is(way, "handled")) {
    struct sigaction before;
    if (sigaction(SIGSEGV, 0, &before) != 0 || before.sa_handler != SIG_DFL) return 4;
    if (signal(SIGSEGV, say_and_die) != SIG_DFL || signal(SIGSEGV, say_and_die) != say_and_die) return 5;
  }
  puts("out");
  fflush(stdout);
  if (is(where, "thread")) {
    pthread_t thread;
    pthread_create(&thread, 0, end_from_thread, argv[2]);
  }
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    if (is(where, "primary") && me == 0) end(way);
    if (is(where, "worker") && me == 1) end(way);
    if (is(where, "all")) end(way);
    if (is(where, "task")) {
#pragma omp task
      end(way);
    }
    if (is(where, "critical")) {
#pragma omp critical
      end(way);
    }
    if (is(where, "thread")) pause();
#pragma omp barrier
  }
  return 0;
}
