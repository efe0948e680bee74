// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit tasks of every kind of clause, created by one thread: deferred, with dependences, if(0), if(0) with depend,
// final with an included task, taskwait with depend.
int main(void) {
  int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    x++;
#pragma omp task depend(in : x) shared(x, y)
    y = x;
#pragma omp taskwait
#pragma omp task if (0) shared(y)
    y++;
#pragma omp task if (0) depend(inout : x) shared(x)
    x++;
#pragma omp task final(1) shared(y)
    {
#pragma omp task shared(y)
      y++;
#pragma omp taskwait
    }
#pragma omp taskwait depend(in : x)
#pragma omp taskwait
  }
  return x == 2 && y == 3 ? 0 : 1;
}
