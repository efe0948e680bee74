// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hangs in the way that its argument names. Each thread that will wait writes the time before it does.
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static omp_lock_t first, second;
static int x, y, here;

static void note_time(void) {
  struct timespec now;
  char line[32];
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int length = snprintf(line, sizeof line, "%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
  if (write(STDOUT_FILENO, line, length) != length) _exit(1);
}

/// Returns when two tasks have called it.
static void meet(void) {
#pragma omp atomic
  here++;
  for (int n = 0; n < 2;) {
    usleep(100);
#pragma omp atomic read
    n = here;
  }
}

static void take(omp_lock_t* one, omp_lock_t* other) {
  omp_set_lock(one);
  meet();
  note_time();
  omp_set_lock(other);
  omp_unset_lock(other);
  omp_unset_lock(one);
}

static void locks(void) {
  omp_init_lock(&first);
  omp_init_lock(&second);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0)
      take(&first, &second);
    else
      take(&second, &first);
  }
}

static void event(void) {
  omp_event_handle_t done;
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp task detach(done) depend(out : x)
      x = 1;
#pragma omp task depend(in : x) firstprivate(done)
      omp_fulfill_event(done);
    }
    note_time();
  }
}

static void count(void) {
#pragma omp critical
  y++;
}

static void taskwait(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp critical
    {
#pragma omp task
      {
        note_time();
        count();
      }
      note_time();
#pragma omp taskwait
    }
  }
}

static void barrier(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      note_time();
#pragma omp barrier
      y++;
    }
    note_time();
  }
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "locks") == 0) locks();
  if (strcmp(how, "event") == 0) event();
  if (strcmp(how, "taskwait") == 0) taskwait();
  if (strcmp(how, "barrier") == 0) barrier();
  return 2;
}
