// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests that are waited for by a copy of their handle, or freed, and receives of two threads that say by their tags
// which message they want, or by MPI_ANY_SOURCE that any will do.
// threads: 2
#include <mpi.h>
#include <omp.h>

enum { many = 16, requests = 8 };
static int early[requests][many], sent[many], parts[2][many], freed[many];

int main(int count, char** arguments) {
  int rank, given;
  MPI_Request request[requests], copies[requests], unwanted;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  for (int i = 0; i < requests; i++) MPI_Irecv(early[i], many, MPI_INT, other, i, MPI_COMM_WORLD, &request[i]);
  for (int i = 0; i < requests; i++) copies[requests - 1 - i] = request[i];
  for (int i = 0; i < requests; i++) MPI_Isend(sent, many, MPI_INT, other, i, MPI_COMM_WORLD, &request[i]);
  MPI_Waitall(requests, copies, MPI_STATUSES_IGNORE);
  for (int i = 0; i < requests; i++) copies[requests - 1 - i] = request[i];
  MPI_Waitall(requests, copies, MPI_STATUSES_IGNORE);

  MPI_Isend(freed, many, MPI_INT, other, 20, MPI_COMM_WORLD, &unwanted);
  MPI_Request_free(&unwanted);
  MPI_Recv(early[0], many, MPI_INT, other, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

#pragma omp parallel num_threads(2)
  {
    const int mine = 30 + omp_get_thread_num();
    MPI_Send(sent, many, MPI_INT, other, mine, MPI_COMM_WORLD);
    MPI_Recv(parts[omp_get_thread_num()], many, MPI_INT, other, mine, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp barrier
    MPI_Send(sent, many, MPI_INT, other, 40, MPI_COMM_WORLD);
    MPI_Recv(parts[omp_get_thread_num()], many, MPI_INT, MPI_ANY_SOURCE, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
