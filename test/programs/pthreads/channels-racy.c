// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two members of a team hand values to each other by a pipe, a socket, an event counter and the end of a pipe; a stream
// is locked by its own lock; two threads are cancelled while they wait for a condition.
// Racy: each value is written after the other member is told, and the stream is unlocked before the last statement.
// threads: 2
// builds: driver
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int by_pipe, by_socket, by_counter, by_end, by_stream, cancelled, ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void leave(void* unused) {
  (void)unused;
  cancelled++; // the wait has taken the mutex again
  pthread_mutex_unlock(&mutex);
}

static void* wait_for_ever(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(leave, NULL);
  ready++;
  pthread_cond_broadcast(&condition);
  for (;;) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(1);
  return unused;
}

int main(void) {
  int first[2], second[2], ends[2], sum = 0;
  const int counter = eventfd(0, 0);
  if (counter < 0 || pipe(first) != 0 || pipe(second) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  pthread_t waiting[2];
#pragma omp parallel sections num_threads(2) reduction(+ : sum)
  {
#pragma omp section
    {
      char byte = 1;
      const uint64_t one = 1;
      if (write(first[1], &byte, 1) != 1) abort();
      if (send(ends[0], &byte, 1, 0) != 1) abort();
      if (write(counter, &one, sizeof one) != sizeof one) abort();
      close(second[1]);
      by_pipe = 1;    // RACE(1)
      by_socket = 2;  // RACE(2)
      by_counter = 4; // RACE(3)
      by_end = 8;     // RACE(4)
    }
#pragma omp section
    {
      char byte;
      uint64_t count;
      if (read(first[0], &byte, 1) != 1) abort();
      sum += by_pipe; // RACE(1)
      if (recv(ends[1], &byte, 1, 0) != 1) abort();
      sum += by_socket; // RACE(2)
      if (read(counter, &count, sizeof count) != sizeof count) abort();
      sum += by_counter; // RACE(3)
      if (read(second[0], &byte, 1) != 0) abort();
      sum += by_end; // RACE(4)
    }
  }
#pragma omp parallel num_threads(2)
  {
    flockfile(stderr);
    flockfile(stderr);
    funlockfile(stderr);
    funlockfile(stderr);
    by_stream++; // RACE(5,5)
  }
  for (int i = 0; i < 2; i++) pthread_create(&waiting[i], NULL, wait_for_ever, NULL);
  pthread_mutex_lock(&mutex);
  while (ready < 2) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; i++) pthread_cancel(waiting[i]);
  for (int i = 0; i < 2; i++) pthread_join(waiting[i], NULL);
  printf("%d %d %d\n", sum, by_stream, cancelled);
  return by_stream > 2;
}
