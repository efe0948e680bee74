// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls whose buffers overlap, or that receive a byte twice.
// threads: 2
#include <mpi.h>

enum { many = 16 };
static int buffer[2 * many], all[2 * many];

int main(int count, char** arguments) {
  int rank, given;
  const int counts[2] = {4, 4}, places[2] = {0, 3};
  MPI_Datatype twice;
  MPI_Request request;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
#pragma omp parallel
#pragma omp masked
  MPI_Sendrecv(buffer, many, MPI_INT, other, 1, buffer + many / 2, many, MPI_INT, other, 1, // FINDING(mpi-threads)
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  MPI_Type_vector(4, 2, 1, MPI_INT, &twice);
  MPI_Type_commit(&twice);
  MPI_Irecv(buffer, 1, twice, other, 2, MPI_COMM_WORLD, &request); // FINDING(mpi-threads)
  MPI_Send(all, 8, MPI_INT, other, 2, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&twice);

  MPI_Allgatherv(buffer, 4, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD); // FINDING(mpi-threads)
  // Of each part a process copies its own, which MPICH refuses where that would overlap.
  MPI_Allgather(all + other * many, many, MPI_INT, all, many, MPI_INT, MPI_COMM_WORLD); // FINDING(mpi-threads)
  MPI_Finalize();
  return 0;
}
