// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks take the same two mutexes of POSIX.
// Fixed: in one order.
// threads: 1 2 8
// levels: native graph
#include <pthread.h>
#include <stdio.h>

#include "one-at-a-time.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void forward(void) {
  begin_alone();
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  ++value;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  end_alone();
}

static void backward(void) {
  begin_alone();
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  ++value;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  end_alone();
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    forward();
#pragma omp task
    backward();
  }
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
