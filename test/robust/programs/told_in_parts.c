// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Has a data race, asks for what was found so far, and has another one.
#include <omp.h>
#include <stdio.h>

static int early, late;

int main(void) {
#pragma omp parallel num_threads(2)
  early++;
  omp_control_tool(omp_control_tool_flush, 0, NULL);
#pragma omp parallel num_threads(2)
  late++;
  puts("ok");
  return 0;
}
