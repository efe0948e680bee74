// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks use two critical constructs, one within the other.
// Racy: in opposite orders.
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "one-at-a-time.h"

static int value;

static void forward(void) {
  begin_alone();
#pragma omp critical(outer)
  {
#pragma omp critical(inner) // FINDING(lock-order-cycle,1)
    ++value;                // FINDING(lock-order-cycle,1)
  }
  end_alone();
}

static void backward(void) {
  begin_alone();
#pragma omp critical(inner)
  {
#pragma omp critical(outer) // FINDING(lock-order-cycle,2)
    ++value;                // FINDING(lock-order-cycle,2)
  }
  end_alone();
}

int main(void) {
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
