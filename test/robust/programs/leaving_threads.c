// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of the program's own end, by return, by pthread_exit and by cancellation, while regions of theirs and of the
// main thread end.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int sum_up_to(int n) {
  int sum = 0;
  int* values = malloc((size_t)n * sizeof(int));
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < n; i++) values[i] = i;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += values[n - 1 - i];
  }
  free(values);
  return sum;
}

static void* returns(void* n) {
  int* counter = n;
  *counter = sum_up_to(*counter);
  return 0;
}

static void* exits(void* n) {
  returns(n);
  pthread_exit(0);
}

static void* is_cancelled(void* n) {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before); // the runtime does not reckon with it
  returns(n);
  pthread_setcancelstate(before, &before);
  for (;;) pause();
}

int main(void) {
  enum { rounds = 20, kinds = 3 };
  void* (*const ways[kinds])(void*) = {returns, exits, is_cancelled};
  int good = 1;
  for (int r = 0; r < rounds; r++) {
    pthread_t thread[kinds];
    int number[kinds];
    for (int k = 0; k < kinds; k++) {
      number[k] = 100;
      pthread_create(&thread[k], 0, ways[k], &number[k]);
    }
    good &= sum_up_to(1000) == 499500;
    for (int k = 0; k < kinds; k++) {
      if (ways[k] == is_cancelled) pthread_cancel(thread[k]);
      void* result;
      pthread_join(thread[k], &result);
      good &= ways[k] == is_cancelled || number[k] == 4950;
    }
  }
  puts(good ? "ok" : "wrong");
  return 0;
}
