// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The teams of a league add up a struct. Copies of it cannot be combined by one atomic instruction.
// Fixed: a declared reduction.
// compilers: clang
#include <stdio.h>

struct sum {
  double value;
  int count;
};

#pragma omp declare reduction(plus : struct sum : omp_out.value += omp_in.value, omp_out.count += omp_in.count)        \
    initializer(omp_priv = (struct sum){0, 0})

int main(void) {
  struct sum sum = {0, 0};
#pragma omp teams num_teams(2) reduction(plus : sum)
  {
    sum.value += 0.5;
    sum.count++;
  }
  struct sum more = {0, 0};
#pragma omp teams distribute parallel for num_teams(2) reduction(plus : more)
  for (int i = 0; i < 30; i++) {
    more.value += i;
    more.count++;
  }
  printf("%g %d\n", more.value, more.count);
  return sum.count > 0 && sum.value == 0.5 * sum.count && more.count == 30 ? 0 : 1;
}
