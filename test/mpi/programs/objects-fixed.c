// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of MPI's that threads use one after the other, and answers of which each thread has its own.
// threads: 2
#include <mpi.h>
#include <omp.h>

static int put[2];

int main(int count, char** arguments) {
  int given, rank, *shown, size;
  MPI_Comm made[2];
  MPI_Info hints;
  MPI_Win window;
  MPI_Datatype pair;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;

#pragma omp parallel for num_threads(2) schedule(static, 1) ordered
  for (int i = 0; i < 2; i++) {
#pragma omp ordered
    MPI_Comm_dup(MPI_COMM_WORLD, &made[i]);
  }

  MPI_Info_create(&hints);
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
#pragma omp critical
    MPI_Info_set(hints, me == 0 ? "a" : "b", "1");
  }
  MPI_Info_free(&hints);

  MPI_Win_allocate(2 * sizeof *shown, sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD, &shown, &window);
  MPI_Win_fence(0, window);
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    MPI_Put(&put[me], 1, MPI_INT, other, me, 1, MPI_INT, window);
#pragma omp barrier
    if (me == 0) MPI_Win_fence(0, window);
  }
  MPI_Win_fence(0, window);
#pragma omp parallel num_threads(2)
  {
    // Epochs of different targets.
    const int target = omp_get_thread_num();
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window);
    MPI_Win_flush(target, window);
    MPI_Win_unlock(target, window);
  }
  MPI_Win_free(&window);

  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) MPI_Send(put, 1, pair, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
#pragma omp barrier
    if (omp_get_thread_num() == 1) MPI_Type_free(&pair);
  }

#pragma omp parallel num_threads(2) private(size)
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  for (int i = 0; i < 2; i++) MPI_Comm_free(&made[i]);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) MPI_Send(put, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
#pragma omp barrier
    if (omp_get_thread_num() == 0) MPI_Finalize();
  }
  return size != 2;
}
