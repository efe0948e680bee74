// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A correct program with as many threads as the argument says: loops, a reduction, a lock, tasks, some barriers.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 4096 };
static int values[n];

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2, members = 0, done = 0;
  long sum = 0, in_turn = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for
    for (int i = 0; i < n; i++) values[i] = i;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += values[n - 1 - i];
#pragma omp critical
    in_turn += values[omp_get_thread_num()];
#pragma omp single
    members = omp_get_num_threads();
#pragma omp task
    {
#pragma omp atomic
      done++;
    }
  }
  puts(members == threads && done == threads && sum == (long)n * (n - 1) / 2 &&
               in_turn == (long)threads * (threads - 1) / 2
           ? "ok"
           : "wrong");
  return 0;
}
