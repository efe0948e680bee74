// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that are complete when they return access their buffers as their task.
// threads: 2
#include <mpi.h>

enum { many = 64 };
static int received[many], sent[many], shared[many], sums[many];
static volatile int seen;

int main(int count, char** arguments) {
  int rank, given;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;

#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    MPI_Sendrecv(sent, many, MPI_INT, other, 1, // RACE(1) RACE(2)
                 received, many, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task
    seen = received[9]; // RACE(1) NAMES(received)
#pragma omp task
    sent[9] = 1; // RACE(2) NAMES(sent)
  }

#pragma omp parallel
  {
#pragma omp masked
    MPI_Allreduce(sent, shared, many, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // RACE(3)
#pragma omp for
    for (int i = 0; i < many; i++) sums[i] = shared[i]; // RACE(3)
  }

#pragma omp parallel sections
  {
#pragma omp section
    MPI_Allreduce(MPI_IN_PLACE, sums, many, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // RACE(4)
#pragma omp section
    seen = sums[1]; // RACE(4)
  }
  MPI_Finalize();
  return 0;
}
