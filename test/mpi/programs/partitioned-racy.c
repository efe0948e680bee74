// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a message that change when they are ready, or are read before they have arrived; a persistent collective
// operation.
// threads: 2
#include <mpi.h>

enum { parts = 4, many = 16 };
static int sent[parts * many], received[parts * many], own[many], sums[many];
static volatile int seen[parts];

int main(int count, char** arguments) {
  int rank, given;
  MPI_Request requests[2], sum;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Psend_init(sent, parts, many, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(received, parts, many, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Startall(2, requests); // RACE(2)
#pragma omp parallel for num_threads(2)
  for (int p = 0; p < parts; p++) {
    MPI_Pready(p, requests[0]);                            // RACE(1)
    for (int i = 0; i < many; i++) sent[p * many + i] = i; // RACE(1)
  }
#pragma omp parallel for num_threads(2)
  for (int p = 0; p < parts; p++) seen[p] = received[p * many]; // RACE(2)
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);

  MPI_Allreduce_init(own, sums, many, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum);
  MPI_Start(&sum); // RACE(3)
  own[0] = 1;      // RACE(3)
  MPI_Wait(&sum, MPI_STATUS_IGNORE);
  MPI_Request_free(&sum);
  MPI_Finalize();
  return 0;
}
