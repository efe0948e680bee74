// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain thread prepares data and signals a condition; a thread of a team waits for it.
// Racy: the data is written after the mutex is released.
// builds: driver
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, data, got;

static void* produce(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  data = 42; // RACE(1)
  return unused;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
#pragma omp parallel
  {
#pragma omp single
    {
      pthread_mutex_lock(&mutex);
      while (!ready) pthread_cond_wait(&condition, &mutex);
      pthread_mutex_unlock(&mutex);
      got = data; // RACE(1)
    }
  }
  pthread_join(producer, NULL);
  printf("data = %d\n", data);
  return data == 42 && (got == 42 || got == 0) ? 0 : 1;
}
