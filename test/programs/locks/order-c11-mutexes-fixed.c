// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks take the same two mutexes of C11.
// Fixed: in one order.
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
  mtx_lock(&b);
  ++value;
  mtx_unlock(&b);
  mtx_unlock(&a);
  end_alone();
}

static void backward(void) {
  begin_alone();
  mtx_lock(&a);
  mtx_lock(&b);
  ++value;
  mtx_unlock(&b);
  mtx_unlock(&a);
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
