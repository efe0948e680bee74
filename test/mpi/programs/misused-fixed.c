// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests that are freed when they are inactive, sends that are given up, and the buffer of buffered sends.
// threads: 2
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

enum { many = 16 };
static int sent[many], received[many], early[many];

int main(int count, char** arguments) {
  int rank, given;
  MPI_Request request;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;

  MPI_Irecv(early, many, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
  int flag = 0;
  MPI_Send(sent, many, MPI_INT, other, 1, MPI_COMM_WORLD);
  while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < many; i++) early[i]++;

  int size = many * sizeof(int) + 2 * MPI_BSEND_OVERHEAD;
  char* const buffer = malloc(size);
  void* back;
  MPI_Buffer_attach(buffer, size);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) MPI_Bsend(sent, 1, MPI_INT, other, 3, MPI_COMM_WORLD);
#pragma omp barrier
    if (omp_get_thread_num() == 0) MPI_Buffer_detach(&back, &size);
  }
  MPI_Recv(received, 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  buffer[0] = 1;
  MPI_Isend(sent, 1, MPI_INT, other, 4, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Recv(received, 1, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  MPI_Send_init(sent, 1, MPI_INT, other, 5, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 2; i++) {
    MPI_Start(&request);
    MPI_Recv(received, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  MPI_Buffer_attach(buffer, size);
  MPI_Bsend(sent, 1, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD);
  MPI_Finalize();
  free(buffer);
  return 0;
}
