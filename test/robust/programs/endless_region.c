// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A service that stays in one region for long: groups of tasks that are created and awaited, tasks that depend on each
// other, and a recursion of tasks. No barrier comes; what is over is over with its wait, so the process stays as large
// as it was after the first part, but for fewer bytes a task than the least that is kept of one.
// Arguments: how many such rounds; and, to have a race from the first round to the last one, anything.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { group = 1000, depth = 9, cells = 1 << 10 };
enum { tasks = 2 * group + (2 << depth) - 1, may_leave = 24 }; // of a round; of a task

static long cell[cells], early, total;

static long resident(void) {
  long all = 0, here = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &all, &here) != 2) exit(2);
  fclose(file);
  return here * sysconf(_SC_PAGESIZE);
}

static long leaves(int levels) {
  if (levels == 0) return 1;
  long left, right;
#pragma omp task shared(left)
  left = leaves(levels - 1);
#pragma omp task shared(right)
  right = leaves(levels - 1);
#pragma omp taskwait
  return left + right;
}

static void serve(long round) {
#pragma omp taskgroup
  for (int i = 0; i < group; i++) {
#pragma omp task firstprivate(i)
    cell[i] += round;
  }
  for (int i = 0; i < group; i++) {
#pragma omp task firstprivate(i) depend(inout : cell[i % 8])
    cell[i % 8] += i;
  }
#pragma omp taskwait
  total += leaves(depth);
}

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 100;
  long grown = 0;
#pragma omp parallel num_threads(2)
#pragma omp single nowait
  {
    if (argc > 2) {
#pragma omp task
      early++;
    }
    long before = 0;
    for (long r = 0; r < rounds; r++) {
      if (r == rounds / 5) before = resident();
      // Each in a task of its own: what it created is awaited where it ends.
#pragma omp task if (0)
      serve(r);
    }
    grown = resident() - before;
    early++;
  }
  if (grown > (rounds - rounds / 5) * tasks * may_leave) printf("grown by %ld bytes\n", grown);
  puts(total == rounds << depth ? "ok" : "wrong");
  return 0;
}
