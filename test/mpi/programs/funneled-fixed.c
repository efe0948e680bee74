// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_THREAD_FUNNELED: only the thread that initialised MPI may call it.
// threads: 2
#include <mpi.h>
#include <omp.h>

int main(int count, char** arguments) {
  int rank, given, own = 1, all;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
  if (omp_get_thread_num() == 0) MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp parallel
#pragma omp masked
  MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel
#pragma omp masked
#pragma omp task if (0)
  MPI_Send(&own, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
#pragma omp parallel
#pragma omp single
  {
    int is_main;
    MPI_Is_thread_main(&is_main);
    if (is_main) MPI_Send(&own, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
