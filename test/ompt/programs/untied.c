// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Untied tasks with a scheduling point inside.
int main(void) {
  int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task untied shared(x, y)
    {
      x++;
#pragma omp task shared(y)
      y++;
#pragma omp taskwait
      x++;
    }
#pragma omp taskwait
  }
  return x == 2 && y == 1 ? 0 : 1;
}
