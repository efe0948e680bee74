// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that only whoever found them can receive.
// threads: 2
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

enum { many = 8, messages = 9 };

int main(int count, char** arguments) {
  int sent[many] = {0}, given, rank;
  MPI_Request requests[messages];
  MPI_Comm second;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  const int other = 1 - rank;
  for (int i = 0; i < messages; i++) {
    MPI_Isend(sent, many, MPI_INT, other, i < 4 ? i % 2 : i, i < 4 ? MPI_COMM_WORLD : second, &requests[i]);
  }

  // A tag for each thread.
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 2; i++) {
    const int tag = omp_get_thread_num();
    int got[many];
    MPI_Status s;
    MPI_Probe(other, tag, MPI_COMM_WORLD, &s);
    MPI_Recv(got, many, MPI_INT, other, tag, MPI_COMM_WORLD, &s);
  }

  // One after the other.
#pragma omp parallel num_threads(2)
#pragma omp critical
  {
    int got[many], size;
    MPI_Status s;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, second, &s);
    MPI_Get_count(&s, MPI_INT, &size);
    MPI_Recv(got, size, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, second, &s);
  }

  // A probe that takes the message away.
#pragma omp parallel num_threads(2)
  {
    int got[many];
    MPI_Message message;
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, second, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(got, many, MPI_INT, &message, MPI_STATUS_IGNORE);
  }

  // One that only looks whether there is something to do.
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    for (int i = 0; i < 20; i++) {
      int found;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, second, &found, MPI_STATUS_IGNORE);
      usleep(1000);
    }
  } else {
    int got[many];
    usleep(10000);
    MPI_Recv(got, many, MPI_INT, other, MPI_ANY_TAG, second, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&second);
  MPI_Finalize();
  return 0;
}
