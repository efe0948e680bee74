// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of MPI's that two tasks must not use at a time, and answers that both store in one variable. With one thread
// nothing goes wrong in this run.
// threads: 1
#include <mpi.h>

static int put[2];
static const char* const keys[2] = {"a", "b"};

int main(int count, char** arguments) {
  int given, rank, *shown, size;
  MPI_Comm made[2];
  MPI_Info hints;
  MPI_Win window;
  MPI_Datatype pair;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;

#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; i++)
#pragma omp task
    MPI_Comm_dup(MPI_COMM_WORLD, &made[i]); // FINDING(mpi-threads)

  MPI_Info_create(&hints);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; i++)
#pragma omp task
    MPI_Info_set(hints, keys[i], "1"); // FINDING(mpi-threads)
  MPI_Info_free(&hints);

  MPI_Win_allocate(2 * sizeof *shown, sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD, &shown, &window);
  MPI_Win_fence(0, window);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    MPI_Put(put, 1, MPI_INT, other, 0, 1, MPI_INT, window); // FINDING(mpi-threads,1)
    MPI_Win_fence(0, window);                               // FINDING(mpi-threads,1)
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; i++)
#pragma omp task
  {
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window); // FINDING(mpi-threads,2)
    MPI_Win_unlock(other, window);                   // FINDING(mpi-threads,2)
  }
  MPI_Win_free(&window);

  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    MPI_Send(put, 1, pair, MPI_PROC_NULL, 0, MPI_COMM_WORLD); // RACE(1)
    MPI_Type_free(&pair);                                     // RACE(1)
  }

#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; i++)
#pragma omp task
    MPI_Comm_size(MPI_COMM_WORLD, &size); // RACE(2,2)

  for (int i = 0; i < 2; i++) MPI_Comm_free(&made[i]);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    MPI_Send(put, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); // FINDING(mpi-threads,3)
    MPI_Finalize();                                              // FINDING(mpi-threads,3)
  }
  return size != 2;
}
