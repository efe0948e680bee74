// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions: of the default size, of one thread, with a false if clause, nested, and a barrier outside of any.
int main(void) {
  int sum = 0;
#pragma omp barrier
#pragma omp parallel
  {
#pragma omp atomic
    sum++;
#pragma omp barrier
  }
#pragma omp parallel num_threads(1)
  sum++;
#pragma omp parallel if (0)
  sum++;
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(1)
    {
#pragma omp atomic
      sum++;
    }
  }
  return sum > 0 ? 0 : 1;
}
