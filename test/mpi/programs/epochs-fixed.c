// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations in epochs of each kind, one after the other, side by side, and those that combine.
// threads: 2
#include <mpi.h>

static int put[8], got[8];

int main(int count, char** arguments) {
  int given, rank, *shown;
  MPI_Win window;
  MPI_Request request;
  MPI_Group all, one;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Win_allocate(8 * sizeof *shown, sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD, &shown, &window);
  MPI_Win_fence(0, window);
#pragma omp parallel
#pragma omp masked
  {
    MPI_Put(put, 4, MPI_INT, other, 0, 4, MPI_INT, window);
    MPI_Get(got, 4, MPI_INT, other, 4, 4, MPI_INT, window);
  }
  MPI_Win_fence(0, window);
  for (int i = 0; i < 2; i++) MPI_Accumulate(put, 4, MPI_INT, other, 0, 4, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);

  MPI_Win_lock_all(0, window);
  MPI_Put(put, 1, MPI_INT, other, 5, 1, MPI_INT, window);
  MPI_Win_flush(other, window);
  MPI_Get(got, 1, MPI_INT, other, 5, 1, MPI_INT, window);
  MPI_Win_flush_local(other, window);
  MPI_Rget(got, 1, MPI_INT, other, 6, 1, MPI_INT, window, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Put(put, 1, MPI_INT, other, 6, 1, MPI_INT, window);
  MPI_Win_unlock_all(window);
  for (int i = 0; i < 2; i++) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, window);
    MPI_Put(put, 1, MPI_INT, other, 7, 1, MPI_INT, window);
    MPI_Win_unlock(other, window);
  }

  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &other, &one);
  MPI_Win_post(one, 0, window);
  MPI_Win_start(one, 0, window);
  MPI_Put(put, 1, MPI_INT, other, 0, 1, MPI_INT, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  MPI_Group_free(&one);
  MPI_Group_free(&all);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
