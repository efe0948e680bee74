// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on windows outside of epochs, pending at the same place, and pending when the window is freed.
// threads: 2
#include <mpi.h>

static int put[8], got[8];

int main(int count, char** arguments) {
  int given, rank, *shown;
  MPI_Win window, left, locked;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Win_allocate(8 * sizeof *shown, sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD, &shown, &window);
  MPI_Win_allocate(8 * sizeof *shown, sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD, &shown, &left);
  MPI_Win_allocate(8 * sizeof *shown, sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD, &shown, &locked);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  MPI_Win_set_errhandler(left, MPI_ERRORS_RETURN);
  MPI_Win_set_errhandler(locked, MPI_ERRORS_RETURN);

  MPI_Put(put, 1, MPI_INT, other, 0, 1, MPI_INT, window); // FINDING(mpi-threads,1)
  MPI_Win_fence(0, window);
#pragma omp parallel
#pragma omp masked
  {
    MPI_Put(put, 4, MPI_INT, other, 0, 4, MPI_INT, window); // FINDING(mpi-threads,1)
    MPI_Get(got, 4, MPI_INT, other, 0, 4, MPI_INT, window); // FINDING(mpi-threads,1)
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);

  MPI_Win_lock_all(0, window);
  MPI_Put(put, 1, MPI_INT, other, 5, 1, MPI_INT, window); // FINDING(mpi-threads,2)
  MPI_Win_flush_local(other, window);
  MPI_Put(got, 1, MPI_INT, other, 5, 1, MPI_INT, window); // FINDING(mpi-threads,2)
  MPI_Win_unlock_all(window);

  MPI_Win_fence(0, left);
  MPI_Put(put, 1, MPI_INT, other, 0, 1, MPI_INT, left); // FINDING(mpi-threads,2)
  MPI_Win_free(&left);                                  // FINDING(mpi-threads,2)
  MPI_Win_lock(MPI_LOCK_SHARED, other, 0, locked);      // FINDING(mpi-threads,3)
  MPI_Win_free(&locked);                                // FINDING(mpi-threads,3)
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
