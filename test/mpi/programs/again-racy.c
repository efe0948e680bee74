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
    MPI_Startall(2, requests); // RACE(1) RACE(2)
    inner[0] = halo[1];        // RACE(1) RACE(2)
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    inner[0] = halo[1];
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);

  MPI_Ibcast(shared, many, MPI_INT, 0, MPI_COMM_WORLD, &request); // RACE(3)
  shared[0] = 1;                                                  // RACE(3)
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Iallreduce(inner, sums, many, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request); // RACE(4)
  seen = sums[0];                                                                // RACE(4)
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Iallgather(inner, many, MPI_INT, gathered, many, MPI_INT, MPI_COMM_WORLD, &request); // RACE(5)
  seen = gathered[2 * many - 1];                                                           // RACE(5)
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ialltoall(parts, many, MPI_INT, gathered, many, MPI_INT, MPI_COMM_WORLD, &request); // RACE(6)
  parts[many] = 1;                                                                        // RACE(6)
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
