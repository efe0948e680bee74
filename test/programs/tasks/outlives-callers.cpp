// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that do not wait for their tasks, which use what the caller has and waits for.
// expect: silent
// levels: native graph
#include <cstdio>
#include <numeric>
#include <vector>

struct Job {
  std::vector<int> data;
  long sum = 0;
};

class Pool {
public:
  void submit(Job& job) {
    Job* j = &job;
    submitted++;
#pragma omp task firstprivate(j)
    j->sum = std::accumulate(j->data.begin(), j->data.end(), 0L);
  }
  template <class F> void run(F& f) {
#pragma omp task shared(f)
    f();
  }
  int submitted = 0;
};

__attribute__((noinline)) static void work(Pool& pool, std::vector<Job>& jobs) {
  for (auto& job : jobs) pool.submit(job);
}

int main() {
  Pool pool;
  long sum = 0;
#pragma omp parallel
#pragma omp single
  {
    std::vector<Job> jobs(5);
    for (int i = 0; i < 5; i++) jobs[i].data.assign(100, i);
    auto tick = [&] { jobs[0].data[0]++; };
#pragma omp taskgroup
    {
      work(pool, jobs);
    }
    pool.run(tick);
#pragma omp taskwait
    for (auto& job : jobs) sum += job.sum;
  }
  std::printf("%ld\n", sum);
}
