// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A league ends before what its initial task does next, while another thread of the program is alive.
// expect: silent
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t over = PTHREAD_MUTEX_INITIALIZER;
static int count, squares[300];

static void* wait_for_the_end(void* unused) {
  pthread_mutex_lock(&over);
  pthread_mutex_unlock(&over);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&over);
  pthread_create(&thread, NULL, wait_for_the_end, NULL);
#pragma omp teams distribute parallel for num_teams(2)
  for (int i = 0; i < 300; i++) {
    squares[i] = i * i;
#pragma omp atomic
    count++;
  }
  int wrong = count != 300;
  for (int i = 0; i < 300; i++) wrong += squares[i] != i * i;
#pragma omp teams distribute num_teams(2)
  for (int i = 0; i < 300; i++) squares[299 - i]++;
  for (int i = 0; i < 300; i++) wrong += squares[i] != i * i + 1;
  pthread_mutex_unlock(&over);
  pthread_join(thread, NULL);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
