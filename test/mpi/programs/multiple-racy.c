// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What no level of thread support allows at the same time.
// threads: 2
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

enum { many = 8 };

int main(int count, char** arguments) {
  int own[2] = {0}, all[2], given, rank, buffer[many], sent[many] = {0};
  MPI_Request request;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 2; i++) {
    if (i == 1) usleep(50000);                                            // so that no harm is done in this run
    MPI_Allreduce(&own[i], &all[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // FINDING(mpi-threads)
  }

  MPI_Irecv(buffer, many, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request);
  MPI_Send(sent, many, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
#pragma omp parallel
  {
    int flag = 0;
    if (omp_get_thread_num() == 0) MPI_Test(&request, &flag, MPI_STATUS_IGNORE); // RACE(1) NAMES(request)
    if (omp_get_thread_num() == 1) usleep(50000), MPI_Test(&request, &flag, MPI_STATUS_IGNORE); // RACE(1)
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
