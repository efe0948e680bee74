// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Persistent requests and nonblocking collective operations.
// threads: 1
#include <mpi.h>

enum { many = 64 };
static int halo[many], inner[many], shared[many], sums[many], parts[2 * many], gathered[2 * many];
static volatile int seen;

int main(int count, char** arguments) {
  int rank;
  MPI_Request requests[2], request;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Recv_init(halo, many, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(inner, many, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
  for (int step = 0; step < 3; step++) {
    inner[0] = halo[1];
    MPI_Startall(2, requests);
    seen = inner[0];
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    inner[0] = halo[1];
  }
  MPI_Start(&requests[0]);
  MPI_Start(&requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  inner[1] = 1;
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  halo[0] = 1;

  MPI_Ibcast(shared, many, MPI_INT, 0, MPI_COMM_WORLD, &request);
  if (rank == 0) seen = shared[0]; // the root's is only read
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  shared[0] = 1;
  MPI_Iallreduce(inner, sums, many, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  seen = sums[0];
  MPI_Iallreduce(MPI_IN_PLACE, sums, many, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  inner[0] = 1;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  seen = sums[0];
  MPI_Iallgather(inner, many, MPI_INT, gathered, many, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  seen = gathered[2 * many - 1];
  MPI_Igather(inner, many, MPI_INT, gathered, many, MPI_INT, 0, MPI_COMM_WORLD, &request);
  if (rank != 0) gathered[0] = 1; // only the root receives
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ialltoall(parts, many, MPI_INT, gathered, many, MPI_INT, MPI_COMM_WORLD, &request);
  seen = parts[many];
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  parts[many] = 1;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  parts[many] = 2;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
