// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes 640 MB again and again, a part in each parallel region: `much_memory regions`; or all in one: `much_memory
// region`. With a second argument, two threads write the same variable: `early` before all else, `late` in the last
// region of each round.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { parts = 80 };
static const long part = 1 << 20; // longs
static long table[parts * (1L << 20)];
static int early_total, late_total;

static void write_part(int p) {
#pragma omp for
  for (long i = 0; i < part; i++) table[p * part + i] = i + p;
}

static void in_one_region(int early) {
#pragma omp parallel num_threads(2)
  {
    if (early) early_total++;
    // No barrier without a task: nothing that was accessed is over.
#pragma omp single nowait
#pragma omp taskloop num_tasks(2)
    for (int p = 0; p < parts; p++)
      for (long i = 0; i < part; i++) table[p * part + i] = i + p;
  }
}

static void in_regions(int late) {
  for (int p = 0; p < parts; p++) {
#pragma omp parallel num_threads(2)
    {
      write_part(p);
      if (late && p == parts - 1) late_total++;
    }
  }
}

int main(int argc, char** argv) {
  const int one = argc > 1 && strcmp(argv[1], "region") == 0;
  const int early = argc > 2 && strcmp(argv[2], "early") == 0, late = argc > 2 && strcmp(argv[2], "late") == 0;
  const double begin = omp_get_wtime();
  for (int round = 0; round == 0 || omp_get_wtime() - begin < 2.5; round++) {
    if (one)
      in_one_region(early);
    else
      in_regions(late);
  }
  long sum = 0;
  for (long i = 0; i < parts * part; i += 4096) sum += table[i] != i % part + i / part;
  puts(sum == 0 ? "ok" : "wrong");
  return 0;
}
