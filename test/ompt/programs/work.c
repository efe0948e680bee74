// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worksharing, masked, reduction, taskloop with and without if(0), taskgroup, doacross.
int main(void) {
  int sum = 0, a[64] = {0};
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 64; ++i) a[i] += i;
#pragma omp barrier
#pragma omp for schedule(dynamic, 16)
    for (int i = 0; i < 64; ++i) a[i] += i;
#pragma omp sections
    {
#pragma omp section
      a[0]++;
#pragma omp section
      a[1]++;
    }
#pragma omp masked
    a[2]++;
#pragma omp single
    {
#pragma omp taskloop num_tasks(4) shared(a)
      for (int i = 0; i < 64; ++i) a[i]++;
#pragma omp taskloop num_tasks(2) if (0) shared(a)
      for (int i = 0; i < 64; ++i) a[i]++;
#pragma omp taskgroup
      {
#pragma omp task shared(a)
        a[3]++;
      }
    }
#pragma omp for ordered(1)
    for (int i = 0; i < 3; ++i) {
#pragma omp ordered depend(sink : i - 1)
      a[i]++;
#pragma omp ordered depend(source)
    }
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 64; ++i) sum += a[i];
  }
  return sum > 0 ? 0 : 1;
}
