// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each team of a league sums a table and says how many teams there are.
// Racy: all of them write that number. Optimised code tells where the variable is for parts of the function only; the
// report has to name it, not its neighbour.
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>

enum { n = 1024 };

static int errors(void) {
  int table[n], total = 0;
  for (int i = 0; i < n; i++) table[i] = i;
  int teams_seen = 0;
#pragma omp target teams num_teams(2) map(to : table[0 : n]) map(tofrom : teams_seen) reduction(+ : total)
  {
    for (int i = 0; i < n; i++) total += table[i];
    teams_seen = omp_get_num_teams(); // RACE(1,1) NAMES(teams_seen)
  }
  int sum = 0;
  for (int i = 0; i < n; i++) sum += table[i];
  if (total == teams_seen * sum) return 0;
  printf("%d instead of %d\n", total, teams_seen * sum);
  return 1;
}

int main(void) { return errors(); }
