// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks take the same two mutexes of C11.
// Racy: in opposite orders.
// threads: 1 2 8
// levels: native graph
#include <stdio.h>
#include <threads.h>

#include "one-at-a-time.h"

static mtx_t a, b;
static int value;

static void forward(void) {
  begin_alone();
  mtx_lock(&a);
  mtx_lock(&b); // FINDING(lock-order-cycle)
  ++value;
  mtx_unlock(&b);
  mtx_unlock(&a);
  end_alone();
}

static void backward(void) {
  begin_alone();
  mtx_lock(&b);
  mtx_lock(&a); // FINDING(lock-order-cycle)
  ++value;
  mtx_unlock(&a);
  mtx_unlock(&b);
  end_alone();
}

int main(void) {
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
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
