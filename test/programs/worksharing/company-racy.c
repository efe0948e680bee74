// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs with locks in them, so short that the first thread would have all parts before the others are awake.
// Racy: what is written after the lock was released is used by others.
// compilers: clang
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int ready, heard, seen, drawn, last;
static omp_lock_t lock;

static void sections(void) {
#pragma omp parallel sections
  {
#pragma omp section
    {
      omp_set_lock(&lock);
      seen++;
      omp_unset_lock(&lock);
      ready = 1; // RACE(1)
    }
#pragma omp section
    {
      omp_set_lock(&lock);
      seen++;
      omp_unset_lock(&lock);
      heard = ready; // RACE(1)
    }
  }
}

static int draw(void) {
  omp_set_lock(&lock);
  const int number = drawn++;
  omp_unset_lock(&lock);
  return number;
}

static void loop(void) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 16; i++) last = draw(); // RACE(2,2)
}

int main(void) {
  omp_init_lock(&lock);
  sections();
  loop();
  omp_destroy_lock(&lock);
  printf("%d\n", seen + heard + last > 0);
}
