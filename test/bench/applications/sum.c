// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An application of two files, for tools/bench.
#include "sum.h"

#include <stdio.h>
#include <stdlib.h>

int main(int arguments, char** argument) {
  if (arguments != 2) return 2;
  printf("%ld\n", sum_to(atol(argument[1])));
}
