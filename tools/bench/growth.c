// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// So many of one thing: what the checker keeps of each, and looks for in a table. Arguments: the kind, how many.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static long work(long i) { return i & 1; }

static long ended_tasks(long n) {
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i++) {
#pragma omp task shared(sum) firstprivate(i)
    {
#pragma omp atomic
      sum += work(i);
    }
    if (i % 1000 == 999) {
#pragma omp taskwait
    }
  }
  return sum;
}

// The first task waits until all are there.
static long waiting_tasks(long n) {
  long sum = 0;
  atomic_int all_are_there = 0;
  char gate = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(all_are_there, gate) depend(out : gate)
    while (!atomic_load(&all_are_there)) {
    }
    for (long i = 0; i < n; i++) {
#pragma omp task shared(sum, gate) firstprivate(i) depend(in : gate)
      {
#pragma omp atomic
        sum += work(i);
      }
    }
    atomic_store(&all_are_there, 1);
  }
  return sum;
}

static long dependences(long n) {
  char* items = calloc(n, 1);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i++) {
#pragma omp task firstprivate(items, i) depend(inout : items[i])
    items[i] = (char)work(i);
  }
  long sum = 0;
  for (long i = 0; i < n; i++) sum += items[i];
  free(items);
  return sum;
}

static long regions(long n) {
  long sum = 0;
  for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) sum += work(i);
  }
  return sum;
}

static long leagues(long n) {
  long sum = 0;
  for (long i = 0; i < n; i++) {
#pragma omp teams num_teams(2) thread_limit(1) reduction(+ : sum)
    sum += work(i + omp_get_team_num());
  }
  return sum;
}

static long region(void) {
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += 1;
  return sum;
}

// Copies of a small library, each a file of its own. Every hundredth time a region finds new ones.
static long modules(long n) {
  static char content[1 << 16];
  struct link_map* small = NULL;
  void* const first = dlopen("libdl.so.2", RTLD_NOW);
  if (first == NULL || dlinfo(first, RTLD_DI_LINKMAP, &small) != 0) return -1;
  FILE* file = fopen(small->l_name, "r");
  if (file == NULL) return -1;
  const size_t size = fread(content, 1, sizeof content, file);
  fclose(file);
  long sum = 0;
  for (long i = 0; i < n; i++) {
    char name[64];
    snprintf(name, sizeof name, "./growth-%d-%ld.so", getpid(), i);
    FILE* copy = fopen(name, "w");
    if (copy == NULL || fwrite(content, 1, size, copy) != size) return -1;
    fclose(copy);
    void* const module = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    unlink(name);
    if (module == NULL) return -1;
    if (i % 100 == 0) sum += region();
  }
  return sum;
}

static long threads(long n) {
  long sum = 0;
  for (int round = 0; round < 200; round++) {
#pragma omp parallel num_threads(n) reduction(+ : sum)
    sum += work(omp_get_thread_num());
  }
  return sum;
}

static long locks(long n) {
  omp_lock_t* all = malloc(n * sizeof *all);
  long sum = 0;
#pragma omp parallel for
  for (long i = 0; i < n; i++) omp_init_lock(&all[i]);
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++) {
    omp_set_lock(&all[i]);
    sum += work(i);
    omp_unset_lock(&all[i]);
  }
#pragma omp parallel for
  for (long i = 0; i < n; i++) omp_destroy_lock(&all[i]);
  free(all);
  return sum;
}

// Each is written by one thread and read by another.
static long heap_blocks(long n) {
  long** blocks = malloc(n * sizeof *blocks);
  long sum = 0;
#pragma omp parallel
  {
#pragma omp for
    for (long i = 0; i < n; i++) {
      blocks[i] = malloc(sizeof(long));
      *blocks[i] = work(i);
    }
#pragma omp for reduction(+ : sum)
    for (long i = 0; i < n; i++) {
      sum += *blocks[n - 1 - i];
      free(blocks[n - 1 - i]);
    }
  }
  free(blocks);
  return sum;
}

// Every other page is given back, so that neighbours do not become one.
static long mappings(long n) {
  enum { page = 4096 };
  long sum = 0;
  char** pages = malloc(n * sizeof *pages);
  for (long i = 0; i < n; i++) {
    pages[i] = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages[i] == MAP_FAILED || munmap(pages[i] + page, page) != 0) return -1;
  }
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++) {
    pages[i][0] = (char)work(i);
    sum += pages[i][0];
  }
  for (long i = 0; i < n; i++) munmap(pages[i], page);
  free(pages);
  return sum;
}

static long kilobytes(long n) {
  const long size = n * 1024;
  char* memory = malloc(size);
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < size; i += 8) {
    memory[i] = (char)work(i / 8);
    sum += memory[i];
  }
  free(memory);
  return sum;
}

int main(int count, char** arguments) {
  static const struct {
    const char* name;
    long (*run)(long);
  } kinds[] = {{"tasks-ended", ended_tasks}, {"tasks-waiting", waiting_tasks},
               {"dependences", dependences}, {"regions", regions},
               {"leagues", leagues},         {"modules", modules},
               {"threads", threads},         {"locks", locks},
               {"heap-blocks", heap_blocks}, {"mappings", mappings},
               {"kilobytes", kilobytes}};
  if (count != 3) return 2;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(arguments[1], kinds[i].name) == 0) {
      printf("%ld\n", kinds[i].run(atol(arguments[2])));
      return 0;
    }
  return 2;
}
