// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leagues in gcc's target regions, which the host executes: a number of teams that the program names and one that it
// leaves open, two distributed loops, a target region that is a task, copies of the region's own and a reduction.
// Repaired: updates are atomic, and each loop has a region of its own.
// compilers: gcc
// threads: 2
// builds: driver
#include <omp.h>
#include <stdio.h>

enum { n = 64 };

static int scaled[n], from[n], to[n];

static void add_one(int* to_what) { // a function, as gcc 12 allows no atomic construct right in a teams construct
#pragma omp atomic
  (*to_what)++;
}

static int named(void) {
  int count = 0;
#pragma omp target teams num_teams(2) map(tofrom : count)
  add_one(&count);
  return count >= 1 ? 0 : 1;
}

static int open(void) {
  int count = 0;
#pragma omp target teams distribute parallel for map(tofrom : count)
  for (int i = 0; i < n; i++) {
    add_one(&count);
  }
  return count == n ? 0 : 1;
}

static int two_loops(void) {
#pragma omp target map(tofrom : scaled, to)
#pragma omp teams num_teams(2)
  {
#pragma omp distribute
    for (int i = 0; i < n; i++) scaled[i] = 2 * from[i];
  }
#pragma omp target map(tofrom : scaled, to)
#pragma omp teams num_teams(2)
  {
#pragma omp distribute
    for (int i = n - 1; i >= 0; i--) to[i] = scaled[i];
  }
  return to[1] == 2 * from[1] ? 0 : 1;
}

static int in_a_task(void) {
  int last = 0;
#pragma omp parallel
#pragma omp single
#pragma omp target teams num_teams(2) map(tofrom : last) nowait
  {
    if (omp_get_team_num() == 1) last = 1;
  }
  return last <= 1 ? 0 : 1;
}

static int copies(void) {
  int table[n], sum = 0, teams = 0;
  for (int i = 0; i < n; i++) table[i] = i;
#pragma omp target teams num_teams(2) firstprivate(table) map(tofrom : teams) reduction(+ : sum)
  {
    for (int i = 0; i < n; i++) sum += table[i];
    add_one(&teams);
  }
  return sum == teams * (n * (n - 1) / 2) ? 0 : 1;
}

int main(void) {
  for (int i = 0; i < n; i++) from[i] = i;
  const int errors = named() + open() + two_loops() + in_a_task() + copies();
  printf("%d errors\n", errors);
  return errors == 0 ? 0 : 1;
}
