// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One-sided operations of two tasks at places of their own in another process's window, or that combine values, which
// may meet; and operations on the own part of a window, of which the process uses other elements meanwhile.
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
    MPI_Put(put[i], 2, MPI_INT, other, 4 * i, 2, MPI_INT, window);
  MPI_Win_fence(0, window);

#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    MPI_Accumulate(put[0], 1, MPI_INT, other, 4, 1, MPI_INT, MPI_SUM, window);
#pragma omp task
    MPI_Fetch_and_op(&put[1][0], got, MPI_INT, other, 4, MPI_SUM, window);
  }
  MPI_Win_fence(0, window);

  MPI_Win_fence(0, of_own);
  MPI_Put(put[0], 4, MPI_INT, rank, 2, 4, MPI_INT, of_own);
  own[6] = 1;
  MPI_Win_fence(0, of_own);
  MPI_Accumulate(put[1], 2, MPI_INT, rank, 0, 2, MPI_INT, MPI_SUM, of_own);
  seen = own[2];
  MPI_Win_fence(0, of_own);
  MPI_Get(got, 4, MPI_INT, rank, 4, 4, MPI_INT, of_own);
  seen = own[7];
  MPI_Win_fence(0, of_own);
  MPI_Win_free(&of_own);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
