// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one thread does with a buffer while an operation is pending on it, and after that.
// threads: 1
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { many = 64 };
static int received[many], sent[many], twice[many], early[many], late[many];
static volatile int seen;

static void read_in_time(int other) {
  MPI_Request requests[2];
  MPI_Irecv(received, many, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(sent, many, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
  seen = sent[3]; // which a send allows
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  seen = received[3];
}

static void written_in_time(int other) {
  MPI_Request requests[2];
  MPI_Irecv(received, many, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(sent, many, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  sent[7] = 1;
  int flag = 0;
  while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  received[7] = 1;
}

static void received_beside(int other) {
  MPI_Request requests[4];
  MPI_Irecv(twice, many / 2, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(twice + many / 2, many / 2, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(sent, many / 2, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(sent, many / 2, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[3]);
  for (int left = 4; left > 0;) {
    int index, some, indices[4];
    MPI_Status status, statuses[4];
    MPI_Waitany(4, requests, &index, &status);
    if (index == 0) twice[0] = 1;
    if (index == 1) twice[many / 2] = 1;
    left--;
    MPI_Testsome(4, requests, &some, indices, statuses);
    for (int i = 0; i < some; i++) {
      if (indices[i] < 2) twice[many / 2 * indices[i]] = 2;
      left--;
    }
    if (some == MPI_UNDEFINED) break;
  }
}

static void freed_in_time(int other) {
  MPI_Request requests[2], copy[2];
  int* block = malloc(many * sizeof *block);
  MPI_Irecv(received, many, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[0]);
  for (int i = 0; i < many; i++) block[i] = i;
  MPI_Isend(block, many, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[1]);
  memcpy(copy, requests, sizeof copy);
  MPI_Waitall(2, copy, MPI_STATUSES_IGNORE);
  free(block);
  received[0] = 1;
}

// One variable, which is copied before it is used again.
static void kept(int other) {
  MPI_Request request, sends[2], receives[2];
  MPI_Irecv(received, many, MPI_INT, other, 6, MPI_COMM_WORLD, &receives[0]);
  MPI_Irecv(twice, many, MPI_INT, other, 6, MPI_COMM_WORLD, &receives[1]);
  MPI_Isend(early, many, MPI_INT, other, 6, MPI_COMM_WORLD, &request);
  sends[0] = request;
  MPI_Isend(late, many, MPI_INT, other, 6, MPI_COMM_WORLD, &request);
  sends[1] = request;
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  late[0] = 1;
  early[0] = 1;
  int flag = 0;
  while (!flag) MPI_Testall(2, receives, &flag, MPI_STATUSES_IGNORE);
  received[1] = twice[1] = 0;
}

static void given_up(int other) {
  MPI_Request send, receive;
  MPI_Irecv(received, many, MPI_INT, other, 7, MPI_COMM_WORLD, &receive);
  MPI_Isend(sent, many, MPI_INT, other, 7, MPI_COMM_WORLD, &send);
  MPI_Request_free(&send);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD); // the other one has received
  sent[0] = 1;
}

static void cancelled(int other) {
  MPI_Request request;
  MPI_Irecv(received, many, MPI_INT, other, 8, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  received[0] = 3;
}

int main(int count, char** arguments) {
  int rank;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  read_in_time(1 - rank);
  written_in_time(1 - rank);
  received_beside(1 - rank);
  freed_in_time(1 - rank);
  kept(1 - rank);
  given_up(1 - rank);
  cancelled(1 - rank);
  MPI_Finalize();
  return 0;
}
