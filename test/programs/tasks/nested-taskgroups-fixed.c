// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskgroup in a task of another one.
// Fixed: what the inner group does not wait for is used after the outer one.
#include <stdio.h>

int main(void) {
  int before = 0, inside = 0, sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task shared(before, inside, sum)
      {
#pragma omp task shared(before)
        before = 1;
#pragma omp taskgroup
        {
#pragma omp task shared(inside)
          {
#pragma omp task shared(inside)
            inside = 2;
          }
        }
        sum = inside;
      }
    }
    sum += before;
  }
  printf("sum = %d\n", sum);
  return sum == 3 ? 0 : 1;
}
