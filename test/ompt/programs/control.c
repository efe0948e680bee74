// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what omp_control_tool returns for the commands that the arguments are.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
#pragma omp parallel num_threads(2)
  ;
  for (int i = 1; i < argc; ++i) printf("%d ", omp_control_tool(atoi(argv[i]), 0, 0));
  printf("\n");
  return 0;
}
