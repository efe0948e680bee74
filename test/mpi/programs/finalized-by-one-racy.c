// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Finalize is for the thread that initialised MPI, and any thread may get a single.
// threads: 2
#include <mpi.h>

int main(int count, char** arguments) {
  int given;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
#pragma omp parallel
#pragma omp single
  MPI_Finalize(); // FINDING(mpi-threads)
  return 0;
}
