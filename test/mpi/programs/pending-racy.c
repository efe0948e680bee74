// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one thread does with a buffer while an operation is pending on it.
// threads: 1
#include <mpi.h>
#include <stdlib.h>

enum { many = 64 };
static int received[many], sent[many], twice[many], early[many], late[many];
static volatile int seen;

static void read_too_early(int other) {
  MPI_Request requests[2];
  MPI_Irecv(received, many, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]); // RACE(1)
  MPI_Isend(sent, many, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
  seen = received[3]; // RACE(1) NAMES(received)
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void written_too_early(int other) {
  MPI_Request requests[2];
  MPI_Irecv(received, many, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(sent, many, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[1]); // RACE(2)
  sent[7] = 1;                                                            // RACE(2) NAMES(sent)
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void received_twice(int other) {
  MPI_Request requests[4];
  MPI_Irecv(twice, many, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[0]);                // RACE(3)
  MPI_Irecv(twice + many / 2, many / 2, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[1]); // RACE(3)
  MPI_Isend(sent, many, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(sent, many / 2, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void freed_too_early(int other) {
  MPI_Request requests[2];
  int* block = malloc(many * sizeof *block);
  MPI_Irecv(received, many, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[0]);
  for (int i = 0; i < many; i++) block[i] = i;
  MPI_Isend(block, many, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[1]); // RACE(4)
  free(block);                                                             // RACE(4)
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

// The second request takes the first one's place.
static void lost(int other) {
  MPI_Request request, receives[2];
  MPI_Irecv(received, many, MPI_INT, other, 6, MPI_COMM_WORLD, &receives[0]);
  MPI_Irecv(twice, many, MPI_INT, other, 6, MPI_COMM_WORLD, &receives[1]);
  MPI_Isend(early, many, MPI_INT, other, 6, MPI_COMM_WORLD, &request); // RACE(5) FINDING(mpi-threads)
  MPI_Isend(late, many, MPI_INT, other, 6, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  late[0] = 1;
  early[0] = 1; // RACE(5)
  MPI_Waitall(2, receives, MPI_STATUSES_IGNORE);
}

int main(int count, char** arguments) {
  int rank;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  read_too_early(1 - rank);
  written_too_early(1 - rank);
  received_twice(1 - rank);
  freed_too_early(1 - rank);
  lost(1 - rank);
  MPI_Finalize();
  return 0;
}
