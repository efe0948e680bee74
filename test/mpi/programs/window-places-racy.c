// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One-sided operations of two tasks at the same place of another process's window, and operations on the own part of a
// window, which the process itself accesses meanwhile.
// threads: 1
#include <mpi.h>

static int put[2][4], got[4];
static volatile int seen;

int main(int count, char** arguments) {
  int given, rank, *shown, *own;
  MPI_Win window, of_own;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  // Only the target knows how it counts.
  MPI_Win_allocate(16 * sizeof *shown, rank == 0 ? sizeof *shown : 2 * sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &shown, &window);
  MPI_Win_allocate(8 * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &of_own);

  MPI_Win_fence(0, window);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; i++)
#pragma omp task
    MPI_Put(put[i], 2, MPI_INT, other, 0, 2, MPI_INT, window); // FINDING(mpi-threads)
  MPI_Win_fence(0, window);

#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    MPI_Accumulate(put[0], 1, MPI_INT, other, 4, 1, MPI_INT, MPI_SUM, window); // FINDING(mpi-threads,1)
#pragma omp task
    MPI_Get(got, 1, MPI_INT, other, 4, 1, MPI_INT, window); // FINDING(mpi-threads,1)
  }
  MPI_Win_fence(0, window);

  MPI_Win_fence(0, of_own);
  MPI_Put(put[0], 4, MPI_INT, rank, 2, 4, MPI_INT, of_own); // RACE(1)
  own[3] = 1;                                               // RACE(1)
  MPI_Win_fence(0, of_own);
  MPI_Accumulate(put[1], 2, MPI_INT, rank, 0, 2, MPI_INT, MPI_SUM, of_own); // RACE(2)
  seen = own[1];                                                            // RACE(2)
  MPI_Win_fence(0, of_own);
  MPI_Get(got, 4, MPI_INT, rank, 4, 4, MPI_INT, of_own); // RACE(3)
  own[7] = 1;                                            // RACE(3)
  MPI_Win_fence(0, of_own);
  MPI_Win_free(&of_own);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
