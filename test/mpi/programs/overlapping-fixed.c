// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers side by side and within each other's gaps, in place, to and from nobody.
// threads: 2
#include <mpi.h>

enum { many = 16 };
static int buffer[2 * many], all[2 * many];

int main(int count, char** arguments) {
  int rank, given;
  const int counts[2] = {4, 4}, places[2] = {0, 4};
  MPI_Datatype apart;
  MPI_Request request;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
#pragma omp parallel
#pragma omp masked
  MPI_Sendrecv(buffer, many, MPI_INT, other, 1, buffer + many, many, MPI_INT, other, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(buffer, many, MPI_INT, other, 1, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  MPI_Type_vector(4, 2, 4, MPI_INT, &apart);
  MPI_Type_commit(&apart);
  MPI_Sendrecv(buffer, 1, apart, other, 2, buffer + 2, 1, apart, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&apart);

  // Nothing comes from there, and nothing is read.
  MPI_Irecv(buffer, many, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
#pragma omp parallel for
  for (int i = 0; i < many; i++) buffer[i]++;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Isend(buffer, many, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
#pragma omp parallel for
  for (int i = 0; i < many; i++) buffer[i]++;
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  MPI_Allgatherv(buffer, 4, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, all, many, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, many, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
