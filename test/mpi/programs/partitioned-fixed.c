// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a message that do not change any more when they are ready, and are read when they have arrived; a persistent
// collective operation.
// threads: 2
#include <mpi.h>
#include <omp.h>

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
  for (int step = 0; step < 2; step++) {
    MPI_Startall(2, requests);
#pragma omp parallel num_threads(2)
    {
#pragma omp for nowait
      for (int p = 0; p < parts; p++) {
        for (int i = 0; i < many; i++) sent[p * many + i] = i;
        MPI_Pready(p, requests[0]);
      }
#pragma omp for nowait
      for (int p = 0; p < parts; p++) {
        int arrived = 0;
        while (!arrived) MPI_Parrived(requests[1], p, &arrived);
        seen[p] = received[p * many];
      }
      // One thread may wait before the others are ready.
      if (omp_get_thread_num() == 0) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    for (int i = 0; i < parts * many; i++) sent[i] = received[i];
  }
  for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);

  MPI_Allreduce_init(own, sums, many, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum);
  for (int step = 0; step < 2; step++) {
    MPI_Start(&sum);
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
    own[0] = sums[0];
  }
  MPI_Request_free(&sum);
  MPI_Finalize();
  return 0;
}
