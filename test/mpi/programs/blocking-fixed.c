// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that are complete when they return access their buffers as their task.
// threads: 2
#include <mpi.h>

enum { many = 64 };
static int received[many], sent[many], shared[many], sums[many], from_all[2 * many], to_all[2 * many];
static volatile int seen;

int main(int count, char** arguments) {
  int rank, given;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;

#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(in : sent) depend(out : received)
    MPI_Sendrecv(sent, many, MPI_INT, other, 1, received, many, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task depend(in : received)
    seen = received[9];
#pragma omp task depend(inout : sent)
    sent[9] = 1;
  }

#pragma omp parallel
  {
#pragma omp masked
    MPI_Bcast(shared, many, MPI_INT, 0, MPI_COMM_WORLD);
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < many; i++) sums[i] = shared[i];
  }

  // Less comes than there is room for.
#pragma omp parallel sections
  {
#pragma omp section
    {
      MPI_Status status;
      MPI_Send(sent, many / 2, MPI_INT, other, 2, MPI_COMM_WORLD);
      MPI_Recv(received, many, MPI_INT, other, 2, MPI_COMM_WORLD, &status);
    }
#pragma omp section
    received[many - 1] = 1;
  }

  // Only the root sends or receives all.
#pragma omp parallel sections
  {
#pragma omp section
    {
      MPI_Gather(sent, many, MPI_INT, from_all, many, MPI_INT, 0, MPI_COMM_WORLD);
      MPI_Scatter(to_all, many, MPI_INT, received, many, MPI_INT, 0, MPI_COMM_WORLD);
      MPI_Reduce(sent, sums, many, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    }
#pragma omp section
    if (rank == 1) from_all[0] = to_all[0] = sums[0] = 1;
  }
  MPI_Finalize();
  return 0;
}
