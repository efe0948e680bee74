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
  if (omp_get_thread_num() == 1) MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // FINDING(mpi-threads)
  // The main thread may get it in this run.
#pragma omp parallel
#pragma omp single
  MPI_Barrier(MPI_COMM_WORLD); // FINDING(mpi-threads)
#pragma omp parallel
#pragma omp masked
#pragma omp task
  MPI_Send(&own, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD); // FINDING(mpi-threads)
#pragma omp parallel sections
  {
#pragma omp section
    MPI_Send(&own, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD); // FINDING(mpi-threads)
#pragma omp section
    MPI_Send(&own, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD); // FINDING(mpi-threads)
  }
  MPI_Finalize();
  return 0;
}
