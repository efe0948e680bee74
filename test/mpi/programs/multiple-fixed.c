// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What MPI_THREAD_MULTIPLE allows at the same time.
// threads: 2
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

enum { many = 8, large = 1 << 16 };
static int received[2][large], sent[2][large];
static int message, result;

int main(int count, char** arguments) {
  int own[2] = {0}, all[2], given, rank;
  MPI_Comm communicators[2];
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 2; i++) MPI_Comm_dup(MPI_COMM_WORLD, &communicators[i]);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 2; i++) MPI_Allreduce(&own[i], &all[i], 1, MPI_INT, MPI_SUM, communicators[i]);

  // A halo exchange of each thread's own, with requests of its own.
#pragma omp parallel num_threads(2)
  for (int step = 0; step < 10; step++) {
    const int me = omp_get_thread_num();
    MPI_Request requests[2];
    for (int i = 0; i < large; i++) sent[me][i] = step;
    MPI_Irecv(received[me], large, MPI_INT, 1 - rank, me, communicators[me], &requests[0]);
    MPI_Isend(sent[me], large, MPI_INT, 1 - rank, me, communicators[me], &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < large; i++) received[me][i] += 1;
  }

  // A message of the process to itself orders its threads.
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      int token = 0;
      message = 5;
      MPI_Send(&token, 1, MPI_INT, rank, 77, communicators[0]);
    }
#pragma omp section
    {
      int token;
      MPI_Recv(&token, 1, MPI_INT, rank, 77, communicators[0], MPI_STATUS_IGNORE);
      result = message;
    }
  }
  for (int i = 0; i < 2; i++) MPI_Comm_free(&communicators[i]);

  // A flush completes what another thread has begun, too; that one knows by its own.
  int* shown;
  MPI_Win window;
  MPI_Win_allocate(sizeof *shown, sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD, &shown, &window);
  MPI_Win_lock_all(0, window);
#pragma omp parallel
  {
    int one = 1, old;
    MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, window);
    usleep(omp_get_thread_num() == 0 ? 50000 : 100000);
    MPI_Win_flush(0, window);
    if (old == 12345) one = 2;
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return result != 5;
}
