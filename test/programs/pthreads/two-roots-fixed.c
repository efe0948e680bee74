// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two plain threads run parallel regions of their own at the same time.
// Fixed: they add under a mutex.
// builds: driver
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total, done;

static void* run(void* unused) {
  int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  pthread_mutex_lock(&mutex);
  total += sum;
  done++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("total = %d, done = %d\n", total, done);
  return total == 9900 && done == 2 ? 0 : 1;
}
