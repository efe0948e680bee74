// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_THREAD_SERIALIZED: no two calls at the same time.
// threads: 2
#include <mpi.h>

int main(int count, char** arguments) {
  int own[4] = {0}, given, turn;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_SERIALIZED, &given);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 2; i++) {
#pragma omp critical
    MPI_Send(&own[i], 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  }
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : turn)
    MPI_Send(&own[2], 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
#pragma omp task depend(inout : turn)
    MPI_Ssend(&own[3], 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  }
#pragma omp parallel
  {
#pragma omp single
    MPI_Send(&own[2], 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
#pragma omp single
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
