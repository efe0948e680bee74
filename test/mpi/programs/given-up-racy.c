// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request that one thread cancels while another one waits for it.
// threads: 2
#include <mpi.h>
#include <omp.h>

int main(int count, char** arguments) {
  int given, value;
  MPI_Request request;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0)
    MPI_Cancel(&request); // RACE(1) NAMES(request)
  else
    MPI_Wait(&request, MPI_STATUS_IGNORE); // RACE(1) NAMES(request)
  MPI_Finalize();
  return 0;
}
