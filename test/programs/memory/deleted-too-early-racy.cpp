// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task works on objects that its creator deletes.
// Racy: the creator does not wait for the task.
#include <cstdio>
#include <new>

struct Job {
  int in, out;
};

int main() {
  int total = 0;
#pragma omp parallel shared(total)
#pragma omp single
  {
    Job* job = new Job{20, 0};
    Job* more = new (std::nothrow) Job[2]{{1, 0}, {2, 0}};
#pragma omp task firstprivate(job, more) shared(total)
    {
      total += job->in;    // RACE(1)
      total += more[1].in; // RACE(2)
    }
    delete job;    // RACE(1)
    delete[] more; // RACE(2)
  }
  std::printf("total = %d\n", total);
  return 0;
}
