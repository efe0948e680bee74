// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request that nobody waits for, and receives of two threads that want the same message.
// threads: 2
#include <mpi.h>
#include <omp.h>

enum { many = 16 };
static int early[many], sent[many], parts[2][many], first[many], second[many];

int main(int count, char** arguments) {
  int rank, given;
  MPI_Request request;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Irecv(early, many, MPI_INT, other, 1, MPI_COMM_WORLD, &request); // FINDING(mpi-threads)
  MPI_Send(sent, many, MPI_INT, other, 1, MPI_COMM_WORLD);

#pragma omp parallel num_threads(2)
  {
    MPI_Send(sent, many, MPI_INT, other, 2, MPI_COMM_WORLD);
    MPI_Recv(parts[omp_get_thread_num()], many, MPI_INT, other, 2, MPI_COMM_WORLD, // FINDING(mpi-threads)
             MPI_STATUS_IGNORE);
  }

  MPI_Send(sent, many, MPI_INT, other, 3, MPI_COMM_WORLD);
  MPI_Send(sent, many, MPI_INT, other, 3, MPI_COMM_WORLD);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    MPI_Recv(first, many, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // FINDING(mpi-threads)
#pragma omp section
    {
      MPI_Request begun;
      MPI_Irecv(second, many, MPI_INT, other, 3, MPI_COMM_WORLD, &begun); // FINDING(mpi-threads)
      MPI_Wait(&begun, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
