// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain thread does the work and fulfils the event.
// Fixed: the result comes first.
// compilers: clang
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static int x;
static omp_event_handle_t done;

static void* service(void* unused) {
  x = 42;
  omp_fulfill_event(done);
  return unused;
}

int main(void) {
  int got = 0;
  pthread_t thread;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
    }
    done = event;
    pthread_create(&thread, NULL, service, NULL);
#pragma omp taskwait
    got = x;
  }
  pthread_join(thread, NULL);
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
