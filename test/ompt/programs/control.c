// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what omp_control_tool returns for the commands that the arguments are, after a region; "early": before any.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  int early = argc > 1 && strcmp(argv[1], "early") == 0;
  if (!early)
#pragma omp parallel num_threads(2)
    ;
  for (int i = 1 + early; i < argc; ++i) printf("%d ", omp_control_tool(atoi(argv[i]), 0, 0));
  printf("\n");
  return 0;
}
