// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks use two critical constructs, one within the other.
// Fixed: in one order.
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
#pragma omp critical(inner)
    ++value;
  }
  end_alone();
}

static void backward(void) {
  begin_alone();
#pragma omp critical(outer)
  {
#pragma omp critical(inner)
    ++value;
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
