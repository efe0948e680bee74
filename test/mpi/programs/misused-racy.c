// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A receive whose request is freed, and the buffer of buffered sends.
// threads: 2
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

enum { many = 16 };
static int sent[many], received[many], early[many];
static volatile char seen;

int main(int count, char** arguments) {
  int rank, given;
  MPI_Request request;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;

  MPI_Irecv(early, many, MPI_INT, other, 1, MPI_COMM_WORLD, &request); // RACE(1)
  MPI_Request_free(&request);
  MPI_Send(sent, many, MPI_INT, other, 1, MPI_COMM_WORLD);
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < many; i++) early[i]++; // RACE(1)

  int size = many * sizeof(int) + 2 * MPI_BSEND_OVERHEAD;
  char* const buffer = malloc(size);
  void* back;
  MPI_Buffer_attach(buffer, size); // RACE(2)
  seen = buffer[0];                // RACE(2)
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) MPI_Bsend(sent, 1, MPI_INT, other, 3, MPI_COMM_WORLD); // FINDING(mpi-threads)
    if (omp_get_thread_num() == 0) {
      usleep(200000);
      MPI_Buffer_detach(&back, &size); // FINDING(mpi-threads)
    }
  }
  MPI_Recv(received, 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(buffer);
  MPI_Finalize();
  return 0;
}
