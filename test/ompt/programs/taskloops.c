// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Taskloops whose tasks a team of one runs at once: a plain one, one with a false if clause, and a task after each.
int main(void) {
  int a[4] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop num_tasks(2) shared(a)
    for (int i = 0; i < 4; ++i) a[i]++;
#pragma omp task shared(a)
    a[0]++;
#pragma omp taskwait
#pragma omp taskloop num_tasks(2) if (0) shared(a)
    for (int i = 0; i < 4; ++i) a[i]++;
#pragma omp task shared(a)
    a[0]++;
#pragma omp taskwait
  }
  return a[0] == 4 ? 0 : 1;
}
