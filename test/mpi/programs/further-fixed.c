// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on files, between neighbours, and with a datatype for each process, which are complete.
// threads: 2
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { many = 16 };
static int written[many], sent[many], gathered[2 * many], first[2], second[2];

int main(int count, char** arguments) {
  int rank, given;
  char name[64];
  MPI_Comm ring;
  MPI_File file;
  MPI_Request request;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  snprintf(name, sizeof name, "/tmp/fletcher-mpi-%d", (int)getpid());
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_iwrite_at(file, 0, written, many, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < many; i++) written[i] = i;
  MPI_File_close(&file);

  MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){2}, (int[]){1}, 0, &ring);
  MPI_Ineighbor_allgather(sent, many, MPI_INT, gathered, many, MPI_INT, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < many; i++) sent[i] = i;
  MPI_Comm_free(&ring);

  const int counts[2] = {1, 1}, places[2] = {0, sizeof(int)};
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Ialltoallw(first, counts, places, types, second, counts, places, types, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  first[1] = 1;
  MPI_Finalize();
  return 0;
}
