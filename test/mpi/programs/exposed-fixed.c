// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows between two fences: parts that do not overlap, values that all combine in one way, fences between the rest.
//
// threads: 2
#include <mpi.h>

enum { many = 64 };

int main(int count, char** arguments) {
  int given, rank, *own, values[many] = {0}, sum = 0;
  MPI_Win window;
  MPI_Datatype column;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Type_vector(4, 1, 8, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Win_allocate(many * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
  for (int i = 0; i < many; i++) own[i] = 0;
  MPI_Win_fence(0, window);

  MPI_Put(values, 8, MPI_INT, other, 0, 8, MPI_INT, window);
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 8; i < many; i++) sum += own[i];
  MPI_Win_fence(0, window);
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < many; i++) sum += own[i]++;
  MPI_Win_fence(0, window);

  MPI_Put(values, 1, column, 0, rank, 1, column, window);
  MPI_Put(values, 4, MPI_INT, 1, 4 * rank, 4, MPI_INT, window);
  MPI_Get(values + 32, 8, MPI_INT, 1, 16, 8, MPI_INT, window);
  MPI_Get(values + 40, 8, MPI_INT, 1, 20, 8, MPI_INT, window);
  MPI_Win_fence(0, window);

  MPI_Accumulate(values, 4, MPI_INT, other, 0, 4, MPI_INT, MPI_SUM, window);
  MPI_Accumulate(values + 4, 4, MPI_INT, other, 2, 4, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  MPI_Accumulate(values, 4, MPI_INT, other, 0, 4, MPI_INT, MPI_PROD, window);
  MPI_Win_fence(0, window);

  MPI_Type_free(&column);
  MPI_Win_free(&window);
  MPI_Finalize();
  return sum > 1000;
}
