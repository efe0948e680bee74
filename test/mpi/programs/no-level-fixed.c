// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Init asks for no threads at all: regions without calls, and calls outside of regions, are fine.
// threads: 2
#include <mpi.h>

int main(int count, char** arguments) {
  int own[2] = {1, 2}, rank;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 2; i++) own[i] += rank;
  for (int i = 0; i < 2; i++) MPI_Send(&own[i], 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
