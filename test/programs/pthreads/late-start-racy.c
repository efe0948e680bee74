// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of the program's own shows a value that a parallel region uses.
// Racy: the value is set when the thread was created already, even if it starts later.
// builds: driver
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int value;

static void* show(void* unused) {
  usleep(20000);
  printf("%d\n", value); // RACE(1)
  return unused;
}

int main(void) {
  int sum = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, show, NULL);
  value = 5; // RACE(1)
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += value;
  pthread_join(thread, NULL);
  return sum == 500 ? 0 : 1;
}
