// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that find out by what they execute who they are, and where their own places are: a larger team's threads find
// others. All of it is in variables of the thread's own, maybe in registers.
// expect: silent
#include <stdio.h>

enum { n = 240 };
static int a[n], first_of[n], steps, done, owner[n];

/// Each thread counts in the place of its first iteration.
static void first_iteration(void) {
#pragma omp parallel
  {
    int mine = -1;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      if (mine < 0) mine = i;
      first_of[mine]++;
    }
  }
}

static void first_iteration_by_pointer(void) {
#pragma omp parallel
  {
    int* mine = NULL;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      if (mine == NULL) mine = &first_of[i];
      *mine += 1;
    }
  }
}

/// The same found in one loop and used in another one.
static void found_before(void) {
#pragma omp parallel
  {
    int low = n;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      if (i < low) low = i;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      if (low < n) owner[low] += i;
  }
}

/// Whoever executed the single construct says how far it has come.
static void leader(void) {
#pragma omp parallel
  {
    int leads = 0;
#pragma omp single nowait
    leads = 1;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      a[i] = i;
      if (leads) steps++;
    }
  }
}

static void leader_is_the_master(void) {
#pragma omp parallel
  {
    int leads = 0;
#pragma omp master
    leads = 1;
#pragma omp for schedule(static, 5)
    for (int i = 0; i < n; i++)
      if (leads) done++;
  }
}

/// A thread that has an iteration before it looks at what that wrote; the first one of a thread does not.
static void neighbour_if_own(void) {
#pragma omp parallel
  {
    int before = -1;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      a[i] = i;
      if (before >= 0) a[i] += a[before] - before;
      before = i;
    }
  }
}

/// Iterations are collected, and dealt with after the loop, by the thread that had them.
static void list(void) {
#pragma omp parallel
  {
    int taken[n], count = 0;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) {
      a[i] = i;
      taken[count++] = i;
    }
    for (int k = 0; k < count; k++) a[taken[k]] *= 2;
  }
}

static int leads_here(void) {
  int leads = 0;
#pragma omp single nowait
  leads = 1;
  return leads;
}
static void count_if(int leads) {
#pragma omp for schedule(static)
  for (int i = 0; i < n; i++)
    if (leads) done++;
}
static void orphaned(void) {
#pragma omp parallel
  count_if(leads_here());
}

int main(void) {
  first_iteration();
  first_iteration_by_pointer();
  found_before();
  leader();
  leader_is_the_master();
  neighbour_if_own();
  list();
  orphaned();
  int sum = 0;
  for (int i = 0; i < n; i++) sum += first_of[i];
  printf("%d\n", sum);
  return sum == 2 * n ? 0 : 1;
}
