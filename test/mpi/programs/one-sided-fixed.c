// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One-sided operations may access the origin's buffers until the epoch ends or a flush.
// threads: 1
#include <mpi.h>

enum { many = 32 };
static int put[many], got[many], added[many], fetched;
static volatile int seen;

int main(int count, char** arguments) {
  int rank, *shown;
  MPI_Win window;
  MPI_Request request;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Win_allocate(2 * many * sizeof *shown, sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD, &shown, &window);

  MPI_Win_fence(0, window);
  MPI_Put(put, many, MPI_INT, other, 0, many, MPI_INT, window);
  seen = put[3];
  MPI_Win_fence(0, window);
  put[3] = 1;

  MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window);
  MPI_Get(got, many, MPI_INT, other, many, many, MPI_INT, window);
  MPI_Win_unlock(other, window);
  seen = got[0];

  MPI_Win_lock_all(0, window);
  MPI_Accumulate(added, many, MPI_INT, other, 0, many, MPI_INT, MPI_SUM, window);
  MPI_Win_flush_local(other, window);
  added[0] = 1;
  MPI_Fetch_and_op(&put[5], &fetched, MPI_INT, other, 0, MPI_SUM, window);
  MPI_Win_flush(other, window);
  seen = fetched;
  MPI_Rget(got, many, MPI_INT, other, many, many, MPI_INT, window, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  got[0] = 1;
  MPI_Rput(put, many, MPI_INT, other, 0, many, MPI_INT, window, &request);
  MPI_Win_flush_all(window);
  put[0] = 1;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
