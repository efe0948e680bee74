// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads that nothing orders, and one that is joined too late.
#include <pthread.h>
#include <stdio.h>

int counter, result;

static void* count(void* argument) {
  counter++;
  return argument;
}
static void* compute(void* argument) {
  result = 1;
  return argument;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_create(&c, NULL, compute, NULL);
  const int early = result;
  pthread_join(c, NULL);
  printf("%d\n", early < 0);
  return 0;
}
