// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message that one task found by a probe, and another one may receive; one that was taken away into a variable of
// all. With one thread nothing goes wrong in this run.
//
// threads: 1
#include <mpi.h>

enum { many = 8, messages = 8 };

int main(int count, char** arguments) {
  int sent[many] = {0}, given, rank;
  MPI_Request requests[messages];
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  for (int i = 0; i < messages; i++) {
    MPI_Isend(sent, many, MPI_INT, other, i < 2 ? 1 : i, MPI_COMM_WORLD, &requests[i]);
  }

#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; i++)
#pragma omp task
  {
    int got[many];
    MPI_Status s;
    MPI_Probe(other, 1, MPI_COMM_WORLD, &s);                    // FINDING(mpi-threads,1)
    MPI_Recv(got, many, MPI_INT, other, 1, MPI_COMM_WORLD, &s); // FINDING(mpi-threads,1)
  }

#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; i++)
#pragma omp task
  {
    int got[many];
    MPI_Status s;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);                // FINDING(mpi-threads,2)
    MPI_Recv(got, many, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, &s); // FINDING(mpi-threads,2)
  }

#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; i++)
#pragma omp task
  {
    int got[many], found = 0;
    MPI_Status s;
    while (!found) MPI_Iprobe(other, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &s); // FINDING(mpi-threads,3)
#pragma omp critical
    MPI_Recv(got, many, MPI_INT, other, MPI_ANY_TAG, MPI_COMM_WORLD, &s); // FINDING(mpi-threads,3)
  }

  MPI_Message message;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; i++)
#pragma omp task shared(message)
  {
    int got[many];
    MPI_Mprobe(other, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); // RACE(4,4) NAMES(message)
    MPI_Mrecv(got, many, MPI_INT, &message, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
