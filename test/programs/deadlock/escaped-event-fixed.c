// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of the program takes a lock and fulfils an event, for which the lock's holder waits.
// Fixed: the lock is set when the wait is over.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

#include "luck.h"

static omp_lock_t lock;
static int x;

static void* reader(void* event) {
  omp_set_lock(&lock);
  x++;
  omp_unset_lock(&lock);
  luck_happens();
  omp_fulfill_event((omp_event_handle_t)event);
  return NULL;
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
    pthread_t thread;
#pragma omp task detach(event)
    luck_happens();
    pthread_create(&thread, NULL, reader, (void*)event);
    await_luck(2);
#pragma omp taskwait
    omp_set_lock(&lock);
    x++;
    omp_unset_lock(&lock);
    pthread_join(thread, NULL);
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
