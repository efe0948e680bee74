// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A timer signal a few thousand times a second, in the middle of accesses, allocations, tasks and locks, with a handler
// that uses memory itself.
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { n = 2000 };
static atomic_long signals;
static _Thread_local volatile long scratch[16];
static int values[n];

static void fill(volatile long* memory) {
  for (int i = 0; i < 16; i++) memory[i]++;
}

static void on_alarm(int number) {
  long local[16] = {0};
  (void)number;
  fill(scratch);
  fill(local);
  memcpy((void*)scratch, local, sizeof local);
  atomic_fetch_add(&signals, 1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void task_tree(int depth, int* sum) {
  int parts[2] = {0, 0};
  if (depth == 0) {
    *sum = 1;
    return;
  }
  for (int i = 0; i < 2; i++) {
#pragma omp task shared(parts)
    task_tree(depth - 1, &parts[i]);
  }
#pragma omp taskwait
  *sum = parts[0] + parts[1];
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, 0);
  struct itimerval timer = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &timer, 0);
  int good = 1, locked = 0, rounds = 0;
  for (double end = now() + 1.0; now() < end || atomic_load(&signals) < 100; rounds++) {
    int leaves = 0;
#pragma omp parallel num_threads(2)
    {
      int* own = malloc(n * sizeof(int));
#pragma omp for
      for (int i = 0; i < n; i++) own[i] = values[i] = i + rounds;
      free(own);
      for (int i = 0; i < n; i++) atomic_fetch_add(&signals, 0); // the handler changes it in the middle of this
#pragma omp critical
      locked++;
#pragma omp single
      task_tree(6, &leaves);
    }
    good &= leaves == 64 && values[n - 1] == n - 1 + rounds;
  }
  memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_REAL, &timer, 0);
  puts(good && locked == 2 * rounds ? "ok" : "wrong");
  return 0;
}
