// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of every form in the teams of leagues, and in regions of one thread in each other. The first league starts
// the runtime.
static int sum;

static void add(void) {
#pragma omp atomic
  sum++;
}

int main(void) {
#pragma omp teams num_teams(2)
  {
#pragma omp parallel
    add();
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(1)
      add();
#pragma omp parallel for schedule(dynamic)
      for (int i = 0; i < 3; i++) add();
#pragma omp barrier
    }
#pragma omp parallel sections
    {
      add();
#pragma omp section
      add();
    }
  }
#pragma omp teams num_teams(1)
  {
#pragma omp parallel if (0)
    add();
#pragma omp distribute parallel for schedule(guided)
    for (int i = 0; i < 3; i++) add();
  }
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(1)
  {
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(1)
    add();
#pragma omp parallel for schedule(runtime) num_threads(1)
    for (int i = 0; i < 3; i++) add();
    add();
  }
  return sum > 0 ? 0 : 1;
}
