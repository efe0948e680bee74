// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What processes must do alike, and in the end a deadlock between them. Who comes later tells: each process is late
// once, on a communicator of its own.
//
// threads: 2
#include <mpi.h>
#include <unistd.h>

int main(int count, char** arguments) {
  int given, rank, number = 1, sum;
  float real = 1, real_sum;
  MPI_Comm on[2];
  const MPI_Op operations[2] = {MPI_SUM, MPI_MAX};
  const MPI_Datatype types[2] = {MPI_INT, MPI_FLOAT};
  void* const sent[2] = {&number, &real};
  void* const received[2] = {&sum, &real_sum};
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int late = 0; late < 2; late++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &on[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 7, rank, &on[1]);
    if (rank == late) usleep(300000);
    MPI_Bcast(&number, 1, MPI_INT, rank, on[0]); // FINDING(mpi-threads,1)
    if (rank == late) usleep(300000);
    MPI_Allreduce(&number, &sum, 1, MPI_INT, operations[rank], on[1]); // FINDING(mpi-threads,2)
    MPI_Comm_dup(on[1], &on[0]);
    if (rank == late) usleep(300000);
    MPI_Allreduce(sent[rank], received[rank], 1, types[rank], MPI_SUM, on[0]); // FINDING(mpi-threads,3)
    MPI_Barrier(MPI_COMM_WORLD);
  }
#pragma omp parallel num_threads(2)
#pragma omp masked
  MPI_Recv(&number, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // FINDING(mpi-threads,4)
  MPI_Send(&number, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
  MPI_Finalize();
}
