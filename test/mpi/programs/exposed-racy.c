// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows between two fences: what another process does there, what it and a third operation do, and what the owner
// does meanwhile. Both processes do all of it to each other.
//
// threads: 2
#include <mpi.h>

enum { many = 64 };

int main(int count, char** arguments) {
  int given, rank, *own, values[many] = {0}, sum = 0;
  MPI_Win window;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Win_allocate(many * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
  for (int i = 0; i < many; i++) own[i] = 0;
  MPI_Win_fence(0, window);

  MPI_Put(values, 8, MPI_INT, other, 0, 8, MPI_INT, window); // RACE(1)
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 4; i++) sum += own[2 * i]; // RACE(1)
  MPI_Win_fence(0, window);

  for (int target = 0; target < 2; target++)
    MPI_Put(values, 8, MPI_INT, target, 4 * rank, 8, MPI_INT, window); // RACE(2,2)
  MPI_Win_fence(0, window);

  MPI_Accumulate(values, 4, MPI_INT, other, 0, 4, MPI_INT, MPI_SUM, window);      // FINDING(mpi-threads,3)
  MPI_Accumulate(values + 4, 4, MPI_INT, other, 2, 4, MPI_INT, MPI_PROD, window); // FINDING(mpi-threads,3)
  MPI_Win_fence(0, window);

  MPI_Win_free(&window);
  MPI_Finalize();
  return sum > 1000;
}
