// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of C11 prepares data and signals a condition; a thread of a team waits for it.
// Fixed: it is written before.
// builds: driver
#include <stdio.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;
static int ready, data, got;

static int produce(void* unused) {
  data = 42;
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  return unused != NULL;
}

int main(void) {
  thrd_t producer;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  thrd_create(&producer, produce, NULL);
#pragma omp parallel
  {
#pragma omp single
    {
      mtx_lock(&mutex);
      while (!ready) cnd_wait(&condition, &mutex);
      mtx_unlock(&mutex);
      got = data;
    }
  }
  thrd_join(producer, NULL);
  printf("data = %d\n", data);
  return data == 42 && (got == 42 || got == 0) ? 0 : 1;
}
