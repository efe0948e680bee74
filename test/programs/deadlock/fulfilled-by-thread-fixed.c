// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All threads of the team wait for a task whose event a thread that OpenMP does not know fulfils later.
// threads: 2
// levels: native graph
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static omp_event_handle_t handle;

static void* service(void* unused) {
  usleep(1600000);
  omp_fulfill_event(handle);
  return unused;
}

int main(void) {
  pthread_t thread;
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(x)
    x = 1;
    handle = event;
    pthread_create(&thread, NULL, service, NULL);
#pragma omp taskwait
  }
  pthread_join(thread, NULL);
  printf("x = %d\n", x);
  return x == 1 ? 0 : 1;
}
