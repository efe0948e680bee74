// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// target nowait on the host: its task runs on the runtime's hidden helper threads.
int main(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target nowait map(tofrom : x) depend(out : x)
    x++;
#pragma omp taskwait
  }
  return x == 1 ? 0 : 1;
}
