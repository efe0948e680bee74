// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each team of a league sums a table and says how many teams there are.
// Fixed: the first team does.
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
    if (omp_get_team_num() == 0) teams_seen = omp_get_num_teams();
  }
  int sum = 0;
  for (int i = 0; i < n; i++) sum += table[i];
  if (total == teams_seen * sum) return 0;
  printf("%d instead of %d\n", total, teams_seen * sum);
  return 1;
}

int main(void) { return errors(); }
