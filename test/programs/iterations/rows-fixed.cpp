// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil over a table of rows that are blocks of their own, both loops as one.
// It fills another table.
// compilers: clang
// builds: driver
#include <cstdio>
#include <vector>

int main() {
  const int rows = 40, columns = 70;
  std::vector<std::vector<double>> heat(rows, std::vector<double>(columns, 1.0));
  std::vector<std::vector<double>> next = heat;
#pragma omp parallel for collapse(2)
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < columns - 1; j++)
      next[i][j] = 0.25 * (heat[i - 1][j] + heat[i + 1][j] + heat[i][j - 1] + heat[i][j + 1]);
  std::printf("%d\n", next[5][5] > 0);
}
