// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error directives that let the program go on, one of them without a message.
#include <stdio.h>

int main(void) {
#pragma omp error at(execution) severity(warning)
#pragma omp error at(execution) severity(warning) message("as told")
  puts("ok");
  return 0;
}
