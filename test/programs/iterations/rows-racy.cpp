// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil over a table of rows that are blocks of their own, both loops as one.
// Racy: it works in place: each element needs its neighbours in both rows beside it.
// compilers: clang
// builds: driver
#include <cstdio>
#include <vector>

int main() {
  const int rows = 40, columns = 70;
  std::vector<std::vector<double>> heat(rows, std::vector<double>(columns, 1.0));
#pragma omp parallel for collapse(2)
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < columns - 1; j++)
      heat[i][j] = 0.25 * (heat[i - 1][j] + heat[i + 1][j] + heat[i][j - 1] + heat[i][j + 1]); // RACE(1*)
  std::printf("%d\n", heat[5][5] > 0);
}
