// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A league of two teams and one of a single team, each with a parallel region inside.
int main(void) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp atomic
    sum++;
  }
#pragma omp teams num_teams(2)
  {
#pragma omp parallel num_threads(1)
    {
#pragma omp atomic
      sum++;
    }
  }
#pragma omp teams num_teams(1)
  {
#pragma omp atomic
    sum++;
  }
  return sum > 0 ? 0 : 1;
}
