// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes do the same; those whose roots differ are in communicators of their own. A receive waits for long.
//
// threads: 2
#include <mpi.h>
#include <unistd.h>

int main(int count, char** arguments) {
  int given, rank, number = 1, sum;
  float real = 1;
  MPI_Comm on[2];
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int late = 0; late < 2; late++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &on[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 7, rank, &on[1]);
    if (rank == late) usleep(300000);
    MPI_Bcast(&number, 1, MPI_INT, 1, on[0]);
    if (rank == late) usleep(300000);
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_MAX, on[1]);
    MPI_Comm_dup(on[1], &on[0]);
    if (rank == late) usleep(300000);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &real, rank == 0 ? &real : NULL, 1, MPI_FLOAT, MPI_SUM, 0, on[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &on[1]);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, rank == 0 ? MPI_SUM : MPI_MAX, on[1]);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) {
    sleep(4);
    MPI_Send(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  }
#pragma omp parallel num_threads(2)
#pragma omp masked
  MPI_Recv(&number, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  MPI_Finalize();
}
