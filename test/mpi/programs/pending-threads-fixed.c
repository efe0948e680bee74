// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whoever completes an operation comes after it, and so does whoever comes after that.
// threads: 2
#include <mpi.h>

enum { many = 64 };
static int first[many], second[many], third[many], sent[many];
static volatile int seen;

int main(int count, char** arguments) {
  int rank, given;
  MPI_Request requests[2], receive;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_SERIALIZED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;

#pragma omp parallel
  {
#pragma omp masked
    {
      MPI_Irecv(first, many, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(sent, many, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
    }
#pragma omp barrier
    // Any thread may complete it.
#pragma omp single
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#pragma omp for
    for (int i = 0; i < many; i++) first[i] += 1;
  }

#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : second) shared(receive)
    {
      MPI_Irecv(second, many, MPI_INT, other, 2, MPI_COMM_WORLD, &receive);
      MPI_Send(sent, many, MPI_INT, other, 2, MPI_COMM_WORLD);
    }
#pragma omp task depend(inout : second) shared(receive)
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
#pragma omp task depend(in : second)
    seen = second[5];
  }

#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(requests)
    MPI_Irecv(third, many, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[0]);
#pragma omp taskwait
    MPI_Send(sent, many, MPI_INT, other, 3, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    third[0] = 1;
  }
  MPI_Finalize();
  return 0;
}
